import { type OptionsFilter, Select, Text } from '@mantine/core'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { useMay, useUser } from '../../platform/session.tsx'
import { clock } from '../../platform/time.ts'
import { useBranding } from '../../shell/branding.ts'
import { foldedOptions } from '../../theme/folded-options.ts'
import { Page } from '../../ui/page.tsx'
import { soon } from '../../ui/soon.tsx'
import { HoursSection } from '../businessHours/hours-section.tsx'
import { ContactsSection } from '../contactSheets/contacts-section.tsx'
import { VisitSection } from '../visits/visit-section.tsx'
import { chooseZone } from './companies.api.ts'
import { useCompanyMenuText } from './companies.menu.text.ts'
import { useCompanyText } from './companies.text.ts'
import { CompanySection } from './company-section.tsx'
import { MessagesSection } from './messages-section.tsx'
import { PlatformSection } from './platform-section.tsx'
import { RepliesSection } from './replies-section.tsx'
import classes from './settings.module.css'
import { StorageSection } from './storage-section.tsx'

const PhoneCountry = soon(() => import('./phone-country.tsx'))
const Collectors = soon(() => import('../collectors/collectors-section.tsx'), { isLarge: true })

/** What a company decides for itself, and what the operator decides for the platform. */
export default function SettingsScreen() {
  const inMenu = useCompanyMenuText()
  const isMaster = useMay('master')
  const { companyId, company } = useUser()
  return (
    <Page title={inMenu('settings')}>
      <CompanySection />
      <CompanyZone />
      <PhoneCountry />
      <MessagesSection />
      <RepliesSection />
      <HoursSection className={classes.section!} headClass={classes.head!} />
      <ContactsSection className={classes.section!} headClass={classes.head!} />
      <StorageSection companyId={companyId} className={classes.section!} headClass={classes.head!} />
      {isMaster ? <PlatformSection /> : <VisitSection companyId={companyId} name={company.companyName} />}
      {isMaster && <Collectors className={classes.section!} headClass={classes.head!} />}
    </Page>
  )
}

/** Without a match a disabled option states it: a list is never empty. */
const found =
  (none: string): OptionsFilter =>
  asked => {
    const fitting = foldedOptions(asked)
    return fitting.length > 0 ? fitting : [{ value: none, label: none, disabled: true }]
  }

const spaced = (zone: string) => zone.replaceAll('_', ' ')

/** The option "none of its own". */
const DEFAULT = ''

function CompanyZone() {
  const t = useCompanyText()
  const { companyId, company } = useUser()
  const { timeZone: usual } = useBranding()
  const [busy, setBusy] = useState(false)
  const [choices] = useState(() => [
    { value: DEFAULT, label: t('zoneDefault', { zone: spaced(usual) }) },
    ...Intl.supportedValuesOf('timeZone')
      .filter(name => name.includes('/'))
      .map(name => ({ value: name, label: spaced(name) })),
  ])
  const chosen = company.timeZone ?? DEFAULT
  const known = choices.some(({ value }) => value === chosen)
  const now = clock()

  async function choose(next: string | null) {
    setBusy(true)
    await chooseZone(companyId, next || null).then(() => notify.done(t('saved')), notify.failed)
    setBusy(false)
  }

  return (
    <section className={classes.section}>
      <h2 className={classes.head}>{t('clock')}</h2>
      <Select
        label={t('zone')}
        description={t('zoneHint')}
        data={known ? choices : [...choices, chosen]}
        value={chosen}
        onChange={next => void choose(next)}
        disabled={busy}
        searchable
        allowDeselect={false}
        limit={60}
        filter={found(t('zoneNone'))}
      />
      <Text size="sm" c="dimmed" mt={8} aria-live="polite">
        {t('now', { time: now.format('HH:mm'), day: now.format('L') })}
      </Text>
    </section>
  )
}
