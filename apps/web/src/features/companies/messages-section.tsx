import { Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { useUser } from '../../platform/session.tsx'
import { chooseOfMessages, ownCompany } from './companies.api.ts'
import { useCompanyText } from './companies.text.ts'
import classes from './settings.module.css'

/** Whether what is read on the phone is read here, who still sees what was deleted for everyone, and what notifications show. */
export function MessagesSection() {
  const t = useCompanyText()
  const { companyId } = useUser()
  const { data } = useQuery(ownCompany(companyId))
  const [busy, setBusy] = useState(false)

  async function choose(what: Parameters<typeof chooseOfMessages>[1]) {
    setBusy(true)
    await chooseOfMessages(companyId, what).catch(notify.failed)
    setBusy(false)
  }

  return (
    <section className={classes.section}>
      <h2 className={classes.head}>{t('messages')}</h2>
      <Switch
        label={t('readsOnPhone')}
        description={t('readsOnPhoneHint')}
        checked={data?.readsOnPhone ?? true}
        disabled={busy || !data}
        onChange={event => void choose({ readsOnPhone: event.currentTarget.checked })}
      />
      <Switch
        label={t('keepsDeleted')}
        description={t('keepsDeletedHint')}
        checked={data?.keepsDeleted ?? false}
        disabled={busy || !data}
        onChange={event => void choose({ keepsDeleted: event.currentTarget.checked })}
      />
      <Switch
        label={t('pushShowsTexts')}
        description={t('pushShowsTextsHint')}
        checked={data?.pushShowsTexts ?? true}
        disabled={busy || !data}
        onChange={event => void choose({ pushShowsTexts: event.currentTarget.checked })}
      />
    </section>
  )
}
