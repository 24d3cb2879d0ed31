import { ClientInput } from '@balcao/contract/clients.ts'
import { useNavigate } from 'react-router'
import { Page } from '../../ui/page.tsx'
import { ClientForm } from './client-form.tsx'
import { addClient } from './clients.api.ts'
import { useClientText } from './clients.text.ts'

/** The operator founds a company; then it is given its plan. */
export default function NewClientScreen() {
  const t = useClientText()
  const navigate = useNavigate()
  return (
    <Page title={t('newCompany')} back={{ path: '/companies', label: t('back') }}>
      <ClientForm
        client={null}
        schema={ClientInput}
        done={t('added')}
        save={async values => {
          const companyId = await addClient(values)
          void navigate(`/companiesManager/${companyId}`, { replace: true })
        }}
      />
    </Page>
  )
}
