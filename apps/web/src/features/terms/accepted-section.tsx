import { FieldSection } from '../../ui/fieldset.tsx'
import { useSearchedList } from '../../ui/list-screen/use-list.ts'
import { AcceptanceTable } from './acceptance-table.tsx'
import { acceptanceList } from './terms.api.ts'
import { useTermsText } from './terms.text.ts'

/** The terms that a company accepted; nothing where there are none. */
export function AcceptedSection({ companyId }: { companyId: number }) {
  const t = useTermsText()
  const { rows } = useSearchedList(acceptanceList(companyId), '')
  if (rows.length === 0) return null
  return (
    <FieldSection legend={t('accepted')}>
      <AcceptanceTable companyId={companyId} />
    </FieldSection>
  )
}
