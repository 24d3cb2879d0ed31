import { ClientInput } from '@balcao/contract/clients.ts'
import { useNewPassword } from '../../shell/new-password.ts'
import { useGoTo } from '../../ui/go-to.ts'
import { Page } from '../../ui/page.tsx'
import { ClientForm } from './client-form.tsx'
import { addClient } from './clients.api.ts'
import { useClientText } from './clients.text.ts'

/** The operator founds a company; then it is given its plan. */
export default function NewClientScreen() {
  const t = useClientText()
  const goTo = useGoTo()
  return (
    <Page title={t('newCompany')} back={{ path: '/companies', label: t('back') }}>
      <ClientForm
        client={null}
        schema={ClientInput.extend({ passwordDefault: useNewPassword() })}
        done={t('added')}
        save={async values => {
          const companyId = await addClient(values)
          goTo(`/companiesManager/${companyId}`, { replace: true })
        }}
      />
    </Page>
  )
}
