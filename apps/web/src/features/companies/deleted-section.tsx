import { Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { useUser } from '../../platform/session.tsx'
import { chooseKeepsDeleted, ownCompany } from './companies.api.ts'
import { useCompanyText } from './companies.text.ts'
import classes from './settings.module.css'

/** Whether admins still see what was deleted for everyone. */
export function DeletedSection() {
  const t = useCompanyText()
  const { companyId } = useUser()
  const { data } = useQuery(ownCompany(companyId))
  const [busy, setBusy] = useState(false)

  async function choose(keepsDeleted: boolean) {
    setBusy(true)
    await chooseKeepsDeleted(companyId, keepsDeleted).catch(notify.failed)
    setBusy(false)
  }

  return (
    <section className={classes.section}>
      <h2 className={classes.head}>{t('messages')}</h2>
      <Switch
        label={t('keepsDeleted')}
        description={t('keepsDeletedHint')}
        checked={data?.keepsDeleted ?? false}
        disabled={busy || !data}
        onChange={event => void choose(event.currentTarget.checked)}
      />
    </section>
  )
}
