import { Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { useBranding } from '../../shell/branding.ts'
import { BillingNumbers } from './billing-numbers.tsx'
import { chooseSetting, chooseSignUp, platformSettings } from './companies.api.ts'
import { useCompanyText } from './companies.text.ts'
import classes from './settings.module.css'

/** A setting that is enabled or disabled. */
function SettingSwitch({ setting }: { setting: 'customersEnd' | 'oneTrial' }) {
  const t = useCompanyText()
  const stored = useQuery(platformSettings).data?.get(setting)
  const [busy, setBusy] = useState(false)
  const choose = (open: boolean) => {
    setBusy(true)
    return chooseSetting(setting, open ? 'enabled' : 'disabled')
      .catch(notify.failed)
      .finally(() => setBusy(false))
  }
  return (
    <Switch
      mt={20}
      label={t(setting)}
      description={t(`${setting}Hint`)}
      checked={stored?.value === 'enabled'}
      disabled={busy || !stored}
      onChange={event => void choose(event.currentTarget.checked)}
    />
  )
}

/** What the operator decides for the platform: who may sign up, and the days of grace. */
export function PlatformSection() {
  const t = useCompanyText()
  const { userCreation } = useBranding()
  const [busy, setBusy] = useState(false)

  async function choose(open: boolean) {
    setBusy(true)
    await chooseSignUp(open ? 'enabled' : 'disabled').catch(notify.failed)
    setBusy(false)
  }

  return (
    <section className={classes.section}>
      <h2 className={classes.head}>{t('platform')}</h2>
      <Switch
        label={t('signUp')}
        description={t('signUpHint')}
        checked={userCreation === 'enabled'}
        disabled={busy}
        onChange={event => void choose(event.currentTarget.checked)}
      />
      <SettingSwitch setting="oneTrial" />
      <SettingSwitch setting="customersEnd" />
      <BillingNumbers />
    </section>
  )
}
