import { NativeSelect, type OptionsFilter, Select, Text } from '@mantine/core'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { notify } from '../../platform/notify.tsx'
import { useMay, useUser } from '../../platform/session.tsx'
import { clock } from '../../platform/time.ts'
import { useBranding } from '../../shell/branding.ts'
import { foldedOptions } from '../../theme/folded-options.ts'
import { useGoTo } from '../../ui/go-to.ts'
import { Page } from '../../ui/page.tsx'
import { useIsPhone } from '../../ui/phone-width.ts'
import { soon } from '../../ui/soon.tsx'
import { HoursSection } from '../businessHours/hours-section.tsx'
import { ContactsSection } from '../contactSheets/contacts-section.tsx'
import { SilenceSection } from '../team/silence-section.tsx'
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

const sections = [
  'company',
  'messages',
  'hours',
  'contacts',
  'storage',
  'visits',
  'platform',
  'payments',
] as const
type Section = (typeof sections)[number]

const FIRST: Section = 'company'
const addressOf = (section: Section) => (section === FIRST ? PATH : `${PATH}?section=${section}`)
const PATH = '/settings'

/** What a company decides for itself, and what the operator decides for the platform: one section at a time, named by the address. */
export default function SettingsScreen() {
  const inMenu = useCompanyMenuText()
  const t = useCompanyText()
  const goTo = useGoTo()
  const isMaster = useMay('master')
  const isPhone = useIsPhone()
  const [query] = useSearchParams()
  const shown = sections.filter(one =>
    one === 'visits' ? !isMaster : isMaster || (one !== 'platform' && one !== 'payments'),
  )
  const chosen = shown.find(one => one === query.get('section')) ?? FIRST
  return (
    <Page title={inMenu('settings')}>
      <div className={classes.sides}>
        {isPhone ? (
          <NativeSelect
            mb={16}
            label={t('section')}
            data={shown.map(one => ({ value: one, label: t(`of_${one}`) }))}
            value={chosen}
            onChange={event => goTo(addressOf(event.currentTarget.value as Section))}
          />
        ) : (
          <nav className={classes.list} aria-label={t('sections')}>
            {shown.map(one => (
              <Link
                key={one}
                to={addressOf(one)}
                className={classes.entry}
                aria-current={one === chosen ? 'page' : undefined}
              >
                {t(`of_${one}`)}
              </Link>
            ))}
          </nav>
        )}
        <div key={chosen}>
          <Shown section={chosen} />
        </div>
      </div>
    </Page>
  )
}

function Shown({ section }: { section: Section }) {
  const { companyId, company } = useUser()
  const look = { className: classes.section!, headClass: classes.head! }
  switch (section) {
    case 'company':
      return (
        <>
          <CompanySection />
          <CompanyZone />
          <PhoneCountry />
        </>
      )
    case 'messages':
      return (
        <>
          <MessagesSection />
          <RepliesSection />
        </>
      )
    case 'hours':
      return (
        <>
          <HoursSection {...look} />
          <SilenceSection {...look} />
        </>
      )
    case 'contacts':
      return <ContactsSection {...look} />
    case 'storage':
      return <StorageSection companyId={companyId} {...look} />
    case 'visits':
      return <VisitSection companyId={companyId} name={company.companyName} />
    case 'platform':
      return <PlatformSection />
    case 'payments':
      return <Collectors {...look} />
  }
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
