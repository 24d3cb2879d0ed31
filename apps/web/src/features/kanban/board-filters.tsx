import { Button } from '@mantine/core'
import type { Asked } from '../tickets/asked.ts'
import SearchFilters from '../tickets/search-filters.tsx'
import { useKanbanText } from './kanban.text.ts'

/** The filters of the search for tickets, and how to be rid of them; the words stay. */
export default function BoardFilters({ asked, onAsk }: { asked: Asked; onAsk(asked: Asked): void }) {
  const t = useKanbanText()
  return (
    <>
      <SearchFilters asked={asked} onChange={change => onAsk({ ...asked, ...change })} />
      <Button
        variant="subtle"
        size="xs"
        mt={8}
        onClick={() => onAsk({ searchParam: asked.searchParam, status: null })}
      >
        {t('clearFilters')}
      </Button>
    </>
  )
}
