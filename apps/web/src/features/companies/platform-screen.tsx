import { Stack } from '@mantine/core'
import { Page } from '../../ui/page.tsx'
import { FiscalSection } from '../fiscalNotes/fiscal-section.tsx'
import { TermsSection } from '../terms/terms-section.tsx'
import { useCompanyMenuText } from './companies.menu.text.ts'
import { PlatformSection } from './platform-section.tsx'

/** The operator's switches, which are among the settings of his own company, too. */
export default function PlatformScreen() {
  const inMenu = useCompanyMenuText()
  return (
    <Page title={inMenu('platform')}>
      <PlatformSection />
      <Stack gap={32} maw={720} mt={32}>
        <TermsSection />
        <FiscalSection />
      </Stack>
    </Page>
  )
}
