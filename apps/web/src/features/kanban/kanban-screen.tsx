import { BOARD_AT_MOST } from '@balcao/contract/kanban.ts'
import { Popover } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { useState } from 'react'
import { whole } from '../../platform/numbers.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Page } from '../../ui/page.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { soon } from '../../ui/soon.tsx'
import { type Asked, filtersIn } from '../tickets/asked.ts'
import { useExistingFilters } from '../tickets/existing-filters.ts'
import { Board } from './board.tsx'
import classes from './kanban.module.css'
import { useKanbanText } from './kanban.text.ts'
import { useBoard } from './use-board.ts'

const BoardFilters = soon(() => import('./board-filters.tsx'))

const NOTHING: Asked = { searchParam: '', status: null }
const TYPING_MS = 500

/** The active tickets by the tags that are lanes; a move changes the lane for all users. */
export default function KanbanScreen() {
  const t = useKanbanText()
  const [stated, setAsked] = useState(NOTHING)
  const asked = useExistingFilters(stated)
  const [words] = useDebouncedValue(asked.searchParam, TYPING_MS)
  const board = useBoard({ ...asked, searchParam: words })
  const { list } = board
  const isCut = list?.hasMore === true && list.tickets.length >= BOARD_AT_MOST
  return (
    <Page
      title={t('title')}
      count={list && whole(list.tickets.length)}
      back={{ path: '/tickets', label: t('back') }}
      actions={
        <>
          <SearchField
            className={classes.search}
            label={t('search')}
            maxLength={200}
            value={asked.searchParam}
            onChange={searchParam => setAsked({ ...asked, searchParam })}
          />
          <Filters asked={asked} onAsk={setAsked} />
        </>
      }
    >
      <div className={classes.screen} data-screen="kanban">
        {isCut && <p className={classes.cut}>{t('cut', { count: BOARD_AT_MOST })}</p>}
        <Board {...board} sought={words || undefined} />
      </div>
    </Page>
  )
}

/** Filters of the board besides its text: those of the search for tickets. */
function Filters({ asked, onAsk }: { asked: Asked; onAsk(asked: Asked): void }) {
  const t = useKanbanText()
  const [open, setOpen] = useState(false)
  return (
    <Popover
      opened={open}
      onChange={setOpen}
      position="bottom-end"
      width={320}
      trapFocus
      returnFocus
      // its dropdowns are portals: closed on pointer down, and without a transition at once, they discarded
      // the choice
      clickOutsideEvents={['click']}
    >
      <Popover.Target>
        <IconButton label={t('filters')} tinted={filtersIn(asked) > 0} onClick={() => setOpen(!open)}>
          <IconAdjustmentsHorizontal size={19} stroke={1.75} />
        </IconButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('filters')}>
        <BoardFilters
          asked={asked}
          onAsk={onAsk}
          onClear={() => onAsk({ ...NOTHING, searchParam: asked.searchParam })}
        />
      </Popover.Dropdown>
    </Popover>
  )
}
