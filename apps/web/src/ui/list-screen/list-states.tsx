import { Button } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { errorText } from '../../platform/errors.text.ts'
import { Empty } from '../empty.tsx'
import { Late } from '../late.tsx'
import { useListText } from './list-screen.text.ts'
import type { List } from './use-list.ts'

interface NoneProps {
  list: Pick<List<unknown>, 'searchParam'>
  icon: ReactNode
  /** Why there is nothing, and what to do about it. */
  title: string
  hint?: string
}

/** Instead of rows when there are none: nothing yet, or nothing that the search finds. */
export function NoRows({ list, icon, title, hint }: NoneProps) {
  const t = useListText()
  return list.searchParam ? (
    <Empty icon={icon} title={t('noneFound')} />
  ) : (
    <Empty icon={icon} title={title}>
      {hint}
    </Empty>
  )
}

/** What a list that is no table says instead of rows, or below them: it loads, it failed, there are none. */
export function ListStates<Row>({ list, children }: { list: List<Row>; children: ReactNode }) {
  const t = useListText()
  const none = list.rows.length === 0
  if (list.isError)
    return (
      <Empty
        icon={<IconAlertCircle size={26} />}
        title={t('failed')}
        action={
          <Button variant="default" onClick={() => void (none ? list.refetch() : list.fetchNextPage())}>
            {t('again')}
          </Button>
        }
      >
        {errorText(list.error)}
      </Empty>
    )
  if (list.isPending || list.isFetchingNextPage)
    return (
      <Late>
        <p role="status">{t('loading')}</p>
      </Late>
    )
  return none && children
}
