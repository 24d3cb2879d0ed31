import type { OwnCompany } from '@balcao/contract/companies.ts'
import { Button, NativeSelect, NumberInput, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { whyNot } from '../../platform/errors.text.ts'
import { notify } from '../../platform/notify.tsx'
import { useUser } from '../../platform/session.tsx'
import { chooseReplies, ownCompany } from './companies.api.ts'
import { useCompanyText } from './companies.text.ts'
import classes from './settings.module.css'

/** What follows thanks after a closing, and how often the message outside the hours is sent. */
export function RepliesSection() {
  const t = useCompanyText()
  const { companyId } = useUser()
  const { data, isError, error } = useQuery(ownCompany(companyId))
  return (
    <section className={classes.section}>
      <h2 className={classes.head}>{t('replies')}</h2>
      {data ? <RepliesForm company={data} /> : isError && <p role="alert">{whyNot(error, t('failed'))}</p>}
    </section>
  )
}

const MOST_MINUTES = 1_440
const MOST_HOURS = 168

function RepliesForm({ company }: { company: OwnCompany }) {
  const t = useCompanyText()
  const [minutes, setMinutes] = useState<number | string>(company.thanksMinutes)
  const [reopens, setReopens] = useState(company.reopensOnThanks)
  const [hours, setHours] = useState<number | string>(company.outOfHoursEvery)
  const [busy, setBusy] = useState(false)

  async function save() {
    setBusy(true)
    await chooseReplies(company.id, {
      thanksMinutes: Number(minutes),
      reopensOnThanks: reopens,
      outOfHoursEvery: Number(hours),
    }).then(() => notify.done(t('companySaved')), notify.failed)
    setBusy(false)
  }

  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        void save()
      }}
    >
      <Stack gap={12}>
        <NumberInput
          label={t('thanksMinutes')}
          description={t('thanksHint')}
          value={minutes}
          onChange={setMinutes}
          min={0}
          max={MOST_MINUTES}
          clampBehavior="strict"
          allowDecimal={false}
          required
        />
        <NativeSelect
          label={t('thanksDo')}
          disabled={Number(minutes) === 0}
          value={reopens ? 'reopen' : 'join'}
          onChange={event => setReopens(event.currentTarget.value === 'reopen')}
          data={[
            { value: 'join', label: t('thanksJoin') },
            { value: 'reopen', label: t('thanksReopen') },
          ]}
        />
        <NumberInput
          label={t('outOfHoursEvery')}
          description={t('outOfHoursHint')}
          value={hours}
          onChange={setHours}
          min={1}
          max={MOST_HOURS}
          clampBehavior="blur"
          allowDecimal={false}
          required
        />
        <Button type="submit" loading={busy} style={{ alignSelf: 'flex-start' }}>
          {t('save')}
        </Button>
      </Stack>
    </form>
  )
}
