import { Switch } from '@mantine/core'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { useBranding } from '../../shell/branding.ts'
import { chooseSignUp } from './companies.api.ts'
import { useCompanyText } from './companies.text.ts'
import { GraceForm } from './grace-form.tsx'
import classes from './settings.module.css'

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
      <GraceForm />
    </section>
  )
}
