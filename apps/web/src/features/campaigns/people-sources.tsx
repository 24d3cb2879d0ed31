import { endsAt, ratePerHour } from '@balcao/contract/campaigns.rules.ts'
import { Text } from '@mantine/core'
import { IconAlertTriangle, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { whole } from '../../platform/numbers.ts'
import { useMay } from '../../platform/session.tsx'
import { clock, shownTime } from '../../platform/time.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Banner } from '../../ui/status.tsx'
import { oneSetup } from '../campaignSetups/campaignSetups.api.ts'
import { oneSheet } from '../contactSheets/one-sheet.ts'
import { contactsOfCategories, contactsOfTags } from './campaigns.api.ts'
import classes from './campaigns.module.css'
import { usePeopleText } from './campaigns.people.text.ts'
import type { People } from './creator-values.ts'
import { ExcludedPeople } from './excluded-people.tsx'
import { nothingPasted } from './pasted.ts'
import { CategorySource, PastedSource, SheetSource, TagSource } from './people-source.tsx'

interface Props {
  people: People
  /** How many are in the campaign by now. */
  already: number
  setupId: string
  error: string | undefined
  onChange(people: People): void
}

const sources = ['pasted', 'categories', 'tags', 'sheet'] as const
type Source = (typeof sources)[number]

/** The recipients of the campaign: all sources together, each number once. */
export function PeopleSources({ people, already, setupId, error, onChange }: Props) {
  const t = usePeopleText()
  const mayImport = useMay('contacts:import')
  const offered = sources.filter(source => source !== 'sheet' || mayImport)
  const [source, setSource] = useState<Source>('pasted')
  const change = (some: Partial<People>) => onChange({ ...people, ...some })
  const { counted, isSheetGone } = useCounted(people)
  const count = Object.values(counted).reduce((sum, some) => sum + some, 0)
  return (
    <section className={classes.card} aria-labelledby="campaign-people">
      <h2 id="campaign-people" className={classes.head}>
        {t('people')}
      </h2>
      <Segmented<Source>
        label={t('source')}
        value={source}
        options={offered.map(value => ({ value, label: t(value) }))}
        onChange={setSource}
      />
      {source === 'pasted' && <PastedSource pasted={people.pasted} onChange={pasted => change({ pasted })} />}
      {source === 'categories' && (
        <CategorySource value={people.categoryIds} onChange={categoryIds => change({ categoryIds })} />
      )}
      {source === 'tags' && <TagSource people={people} onChange={change} />}
      {source === 'sheet' && (
        <SheetSource sheetId={people.sheetId} onChange={sheetId => change({ sheetId })} />
      )}
      <ExcludedPeople people={people} onChange={without => change({ without })} />
      <ul className={classes.chosen} aria-label={t('chosen')}>
        {sources.map(
          one =>
            (counted[one] > 0 || (one === 'sheet' && isSheetGone)) && (
              <li key={one}>
                {t(one)} <strong>{whole(counted[one])}</strong>
                <IconButton
                  small
                  label={t('takeAway', { source: t(one) })}
                  onClick={() => change(empty[one])}
                >
                  <IconX size={14} stroke={1.75} />
                </IconButton>
              </li>
            ),
        )}
        {count === 0 && <li>{already > 0 ? t('already', { count: already }) : t('noRecipients')}</li>}
      </ul>
      <Fault>{isSheetGone ? t('sheetGone') : error}</Fault>
      {count > 0 && <Outlook count={count + already} setupId={setupId} />}
      <Banner tone="warning" icon={<IconAlertTriangle size={16} aria-hidden />}>
        {t('banned')}
      </Banner>
    </section>
  )
}

function Fault({ children }: { children: string | undefined }) {
  if (!children) return null
  return (
    <Text size="sm" c="var(--error)" role="alert">
      {children}
    </Text>
  )
}

const empty: Record<Source, Partial<People>> = {
  pasted: { pasted: nothingPasted },
  categories: { categoryIds: [] },
  tags: { tagIds: [] },
  sheet: { sheetId: null },
}

/** How many each source names, and whether the spreadsheet that was chosen is still there. */
function useCounted({ pasted, categoryIds, tagIds, from, until, sheetId }: People) {
  const categories = useQuery(contactsOfCategories(categoryIds))
  const tags = useQuery(contactsOfTags(tagIds, from, until))
  const { data: sheet } = useQuery({ ...oneSheet(sheetId ?? 0), enabled: sheetId !== null })
  const counted: Record<Source, number> = {
    pasted: pasted.people.length,
    categories: categoryIds.length > 0 ? (categories.data ?? 0) : 0,
    tags: tagIds.length > 0 ? (tags.data ?? 0) : 0,
    sheet: sheetId !== null && sheet ? sheet.fresh + sheet.known : 0,
  }
  return { counted, isSheetGone: sheetId !== null && sheet === null }
}

/** The best case; the daily limit of the connections is computed by the server once the campaign exists. */
function Outlook({ count, setupId }: { count: number; setupId: string }) {
  const t = usePeopleText()
  const { data: setup } = useQuery({ ...oneSetup(setupId), enabled: setupId !== '' })
  if (!setup) return <p className={classes.hint}>{t('upTo', { count: whole(count) })}</p>
  const numbers = setup.whatsapps.map(() => ({ dayCap: null }))
  const outlook = { people: count, numbers, pace: setup, hourCap: null, hours: setup }
  const ends = endsAt({ ...outlook, shown: clock().format('YYYY-MM-DDTHH:mm') })
  const perHour = whole(ratePerHour(outlook))
  return (
    <p className={classes.hint}>
      {t('upTo', { count: whole(count) })}{' '}
      {ends && t('endsAt', { perHour, at: shownTime(ends).format('L LT') })}
    </p>
  )
}
