import { COUNTED_AT_MOST } from '@balcao/contract/kit.ts'
import { Button, Popover, Stack } from '@mantine/core'
import { IconAdjustmentsHorizontal, IconPlus } from '@tabler/icons-react'
import type { ComponentType, ReactNode } from 'react'
import { useParams } from 'react-router'
import { rowId } from '../../platform/ids.ts'
import { whole } from '../../platform/numbers.ts'
import { useGoTo } from '../go-to.ts'
import { IconButton } from '../icon-button.tsx'
import { Page } from '../page.tsx'
import { useIsPhone } from '../phone-width.ts'
import { SearchField } from '../search-field.tsx'
import { Adding } from './adding.ts'
import { useKeptInAddress } from './address.ts'
import { useListText } from './list-screen.text.ts'
import type { RowDialogProps } from './row.dialog.tsx'
import type { List } from './use-list.ts'

interface Props {
  /** The screen's address; `path/new` and `path/17` open the dialog. Its route is `path/:id?`. */
  path: string
  title: string
  /** From `useList`; one without a search has no `type`. */
  list: Pick<List<unknown>, 'rows' | 'hasNextPage' | 'isPending'> &
    Partial<Pick<List<unknown>, 'typed' | 'type' | 'count' | 'searchParam'>>
  /** Label of the button that adds a row; omitted without the right. */
  add?: string | undefined
  /** Mounted while the address names a row; a screen that shows its own omits it. */
  dialog?: ComponentType<RowDialogProps>
  /** The parent screen. */
  back?: { path: string; label: string }
  actions?: ReactNode
  /** They are more than fit beside the title of a phone: there a button opens them. */
  folds?: boolean
  /** Label of the search, if not the default. */
  searchFor?: string | undefined
  children: ReactNode
}

/** A page with a list: how many there are, the search, the button that adds, and the dialog that the address names. */
export function ListScreen({
  path,
  title,
  list,
  add,
  dialog: RowDialog,
  back,
  actions,
  folds = false,
  searchFor,
  children,
}: Props) {
  const t = useListText()
  const goTo = useGoTo()
  const { id } = useParams()
  const { typed, type } = list
  useKeptInAddress('search', type && list.searchParam)
  const begin = () => goTo(`${path}/new`)
  const isPhone = useIsPhone()
  return (
    <Page
      title={title}
      count={<Count list={list} />}
      back={back}
      actions={
        <>
          {type && <SearchField label={searchFor ?? t('search')} value={typed} onChange={type} />}
          {isPhone && folds ? actions && <Folded>{actions}</Folded> : actions}
          {add &&
            (isPhone && (folds || type) ? (
              <IconButton solid label={add} onClick={begin}>
                <IconPlus size={19} stroke={2} />
              </IconButton>
            ) : (
              <Button leftSection={<IconPlus size={16} />} onClick={begin}>
                {add}
              </Button>
            ))}
        </>
      }
    >
      <Adding value={add ? begin : null}>{children}</Adding>
      {id && RowDialog && (
        <RowDialog
          key={id}
          id={id === 'new' ? null : rowId(id)}
          onClose={() => goTo(path, { replace: true })}
        />
      )}
    </Page>
  )
}

/** Stays mounted while it is closed: its dialogs do not close with it. */
function Folded({ children }: { children: ReactNode }) {
  const t = useListText()
  return (
    <Popover position="bottom-end" keepMounted width={260} withinPortal>
      <Popover.Target>
        <IconButton label={t('actions')} aria-haspopup="dialog">
          <IconAdjustmentsHorizontal size={19} stroke={1.75} />
        </IconButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('actions')}>
        <Stack gap={8}>{children}</Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

/** How many rows there are: as the server counted them, or as far as they are loaded. */
function Count({ list: { rows, hasNextPage, isPending, count: counted } }: Pick<Props, 'list'>) {
  const t = useListText()
  const count = counted ?? rows.length
  const isMore = counted === undefined ? hasNextPage : counted === COUNTED_AT_MOST && hasNextPage
  const label = t(isMore ? 'moreThan' : 'shown', { count })
  return (
    <span role="status" title={label}>
      {!isPending && (
        <>
          <span aria-hidden>{isMore ? `${whole(count)}+` : whole(count)}</span>
          <span className="sr-only">{label}</span>
        </>
      )}
    </span>
  )
}
