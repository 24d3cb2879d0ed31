import { Button } from '@mantine/core'
import type { Asked } from '../tickets/asked.ts'
import SearchFilters from '../tickets/search-filters.tsx'
import { useKanbanText } from './kanban.text.ts'

interface Props {
  asked: Asked
  onAsk(asked: Asked): void
  onClear(): void
}

/** The filters of the search for tickets, and their reset; the search text stays. */
export default function BoardFilters({ asked, onAsk, onClear }: Props) {
  const t = useKanbanText()
  return (
    <>
      <SearchFilters asked={asked} onChange={change => onAsk({ ...asked, ...change })} />
      <Button variant="subtle" size="xs" mt={8} onClick={onClear}>
        {t('clearFilters')}
      </Button>
    </>
  )
}
