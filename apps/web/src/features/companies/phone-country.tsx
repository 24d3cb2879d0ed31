import { phoneCountries } from '@balcao/contract/numbers.rules.ts'
import { Select } from '@mantine/core'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { useUser } from '../../platform/session.tsx'
import { countryName } from '../contacts/country-name.ts'
import { choosePhoneCountry } from './companies.api.ts'
import { useCompanyText } from './companies.text.ts'
import classes from './settings.module.css'

/** The country in which numbers without one are read. */
export default function PhoneCountry() {
  const t = useCompanyText()
  const { companyId, company } = useUser()
  const [busy, setBusy] = useState(false)
  const [choices] = useState(() =>
    phoneCountries()
      .map(([value, code]) => ({ value, label: `${countryName(value)} (+${code})` }))
      .toSorted((a, b) => a.label.localeCompare(b.label)),
  )

  async function choose(next: string | null) {
    if (!next) return
    setBusy(true)
    await choosePhoneCountry(companyId, next).then(() => notify.done(t('phoneCountrySaved')), notify.failed)
    setBusy(false)
  }

  return (
    <section className={classes.section}>
      <h2 className={classes.head}>{t('numbers')}</h2>
      <Select
        label={t('phoneCountry')}
        description={t('phoneCountryHint')}
        data={choices}
        value={company.phoneCountry}
        onChange={next => void choose(next)}
        disabled={busy}
        searchable
        allowDeselect={false}
        limit={60}
      />
    </section>
  )
}
