import { Button } from '@mantine/core'
import { IconAlertCircle, IconPlus } from '@tabler/icons-react'
import { type ReactNode, useContext } from 'react'
import { errorText } from '../../platform/errors.text.ts'
import { Empty } from '../empty.tsx'
import { Late } from '../late.tsx'
import { Adding } from './adding.ts'
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
  const add = useContext(Adding)
  return list.searchParam ? (
    <Empty icon={icon} title={t('noneFound')}>
      {t('noneFoundHint', { words: list.searchParam })}
    </Empty>
  ) : (
    <Empty
      icon={icon}
      title={title}
      action={
        add && (
          <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={add}>
            {t('begin')}
          </Button>
        )
      }
    >
      {hint}
    </Empty>
  )
}

/** Replaces what could not be loaded; it is retried automatically, or at once by the button. */
export function NotHad({ title, error, again }: { title?: string; error: unknown; again(): void }) {
  const t = useListText()
  return (
    <Empty
      icon={<IconAlertCircle size={26} />}
      title={title ?? t('notHad')}
      action={
        <Button variant="default" onClick={again}>
          {t('again')}
        </Button>
      }
    >
      {errorText(error)}
    </Empty>
  )
}

/** What a list that is no table shows instead of rows, or below them: loading, failed, empty. */
export function ListStates<Row>({ list, children }: { list: List<Row>; children: ReactNode }) {
  const t = useListText()
  const none = list.rows.length === 0
  if (list.isError)
    return (
      <NotHad
        title={t('failed')}
        error={list.error}
        again={() => void (none ? list.refetch() : list.fetchNextPage())}
      />
    )
  if (list.isPending || list.isFetchingNextPage)
    return (
      <Late>
        <p role="status">{t('loading')}</p>
      </Late>
    )
  return none && children
}
