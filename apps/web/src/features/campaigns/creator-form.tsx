import type { Forecast } from '@balcao/contract/campaignPeople.ts'
import { AHEAD_MONTHS, type Campaign } from '@balcao/contract/campaignShapes.ts'
import { mayManageCampaign } from '@balcao/contract/campaigns.rules.ts'
import type { Seen } from '@balcao/contract/edits.rules.ts'
import { Button, Switch, TextInput } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { ApiError } from '../../platform/call.ts'
import { errorText } from '../../platform/errors.text.ts'
import { notify } from '../../platform/notify.tsx'
import { useUser, useViewer } from '../../platform/session.tsx'
import { clock } from '../../platform/time.ts'
import { DateTimeField } from '../../ui/date-time-field.tsx'
import { UnsavedAsks } from '../../ui/dialog.tsx'
import { useGoTo } from '../../ui/go-to.ts'
import { useMeanwhile } from '../../ui/list-screen/use-meanwhile.tsx'
import { Page } from '../../ui/page.tsx'
import { Banner } from '../../ui/status.tsx'
import { homeOf } from '../contacts/phone.ts'
import { addPeople, changeCampaign, lackingIn, makeCampaign } from './campaigns.api.ts'
import { useCreatorText } from './campaigns.creator.text.ts'
import classes from './campaigns.module.css'
import { usePeopleText } from './campaigns.people.text.ts'
import { useCampaignText } from './campaigns.text.ts'
import {
  type Draft,
  draftOf,
  faultsOf,
  hasPeople,
  inSeen,
  messagesOf,
  type People,
  recipientsOf,
  scheduleOf,
  seenIn,
} from './creator-values.ts'
import { MessageCards } from './message-cards.tsx'
import { pastedInto } from './pasted.ts'
import { PeopleSources } from './people-sources.tsx'
import { SetupChoice } from './setup-choice.tsx'
import { StartDialog } from './start.dialog.tsx'

interface Props {
  /** What is changed, or copied. */
  like: Campaign | null
  isCopy: boolean
  title: string
}

/** Of a started campaign only name, time and recipients can be changed. */
const hasBegun = ({ status, initialized }: Campaign) => status === 'start' || initialized !== null

export function CreatorForm({ like, isCopy, title }: Props) {
  const t = useCreatorText()
  const goTo = useGoTo()
  const viewer = useViewer()
  const { company } = useUser()
  const [draft, setDraft] = useState(() => draftOf(like, isCopy))
  const [faults, setFaults] = useState(new Map<string, string>())
  const [busy, setBusy] = useState(false)
  const [lacking, setLacking] = useState<{ campaign: Campaign; forecast: Forecast } | null>(null)
  const changed = isCopy ? null : like
  const isFixed = changed !== null && hasBegun(changed)
  const isReadOnly = changed !== null && !mayManageCampaign(viewer, changed)
  const [before] = useState(draft)
  // the prop follows what others save
  const [seen] = useState(() => changed && seenIn(changed, isFixed))
  const meanwhile = useMeanwhile()
  const change = (some: Partial<Draft>) => setDraft(before => ({ ...before, ...some }))
  const changePeople = (people: People) => {
    change({ people })
    setFaults(before => (hasPeople(people) ? without(before, 'people') : before))
  }

  const leaveTo = ({ id }: Campaign) => goTo(`/CampaignsManager/${id}`, { isSaved: true })

  async function submit(event: FormEvent) {
    event.preventDefault()
    const pasted = pastedInto(draft.people.pasted, draft.people.pasted.text, homeOf(company))
    const whole = { ...draft, people: { ...draft.people, pasted } }
    setDraft(whole)
    const left =
      pasted.short.length > 0
        ? 'shortNumbers'
        : pasted.wrong.length > 0
          ? 'wrongNumbers'
          : pasted.unclear.length > 0 && 'unclearNumbers'
    if (left) return notify.warn(useCreatorText.read(left), { id: 'campaign fault' })
    const found = faultsOf(whole, changed === null)
    setFaults(found)
    const [fault] = found.values()
    if (fault) return notify.warn(fault, { id: 'campaign fault' })
    await save(whole)
  }

  async function save(whole: Draft, current?: Seen) {
    setBusy(true)
    try {
      const isSeen = current && seen ? inSeen(current, seen) : seen
      const campaign = await (changed ? saved(changed, whole, isFixed, isSeen) : made(whole))
      notify.done(t('saved'))
      // it starts by itself: no user presses START, which would say whom it leaves out
      const forecast = campaign.schedule ? await lackingIn(campaign).catch(() => null) : null
      if (forecast) setLacking({ campaign, forecast })
      else leaveTo(campaign)
    } catch (error) {
      setBusy(false)
      if (meanwhile.asks(error, now => void save(whole, now), labels())) return
      const lost = lostIn(error)
      setFaults(lost)
      if (lost.has('setup')) notify.warn(t('lostSetup'), { id: 'campaign fault' })
      if (lost.size === 0) notify.failed(error)
    }
  }
  const labels = () => ({
    ...{ name: t('name'), campaignSetupId: t('setup'), schedule: t('schedule') },
    campaignMessages: t('messages'),
  })

  return (
    <Page
      title={title}
      back={{ path: '/Campaigns', label: useCampaignText.read('toList') }}
      actions={
        <>
          <UnsavedAsks isUnsaved={draft !== before && !busy && !isReadOnly} />
          {changed && (
            <Button variant="default" onClick={() => goTo(`/CampaignsManager/${changed.id}`)}>
              {t('manage')}
            </Button>
          )}
          {isReadOnly ? (
            <Button component={Link} to={`/CampaignsCreator?copy=${changed.id}`} variant="default">
              {t('copy')}
            </Button>
          ) : (
            <Button type="submit" form="campaign" loading={busy}>
              {t('save')}
            </Button>
          )}
        </>
      }
    >
      {isReadOnly && (
        <div className={classes.banners}>
          <Banner tone="info" icon={<IconLock size={16} aria-hidden />}>
            {t('onlyOwner')}
          </Banner>
        </div>
      )}
      {meanwhile.question}
      {lacking && (
        <StartDialog
          {...lacking}
          confirm={t('save')}
          onStart={async () => leaveTo(lacking.campaign)}
          onClose={() => leaveTo(lacking.campaign)}
        />
      )}
      <form id="campaign" onSubmit={event => void submit(event)} noValidate>
        <fieldset className={classes.creator} disabled={isReadOnly}>
          <div className={classes.column}>
            {isFixed && <p className={classes.hint}>{t('fixed')}</p>}
            <TextInput
              label={t('name')}
              maxLength={100}
              value={draft.name}
              error={faults.get('name')}
              onChange={event => change({ name: event.currentTarget.value })}
            />
            <SetupChoice
              value={draft.setupId}
              disabled={isFixed}
              error={faults.get('setup')}
              onChange={setupId => change({ setupId })}
            />
            <MessageCards draft={draft} faults={faults} disabled={isFixed} onChange={change} />
          </div>
          <div className={classes.column}>
            {!isReadOnly && (
              <PeopleSources
                people={draft.people}
                already={changed?.counts.total ?? 0}
                setupId={draft.setupId}
                error={faults.get('people')}
                onChange={changePeople}
              />
            )}
            {!isFixed && <Beginning draft={draft} error={faults.get('schedule')} onChange={change} />}
          </div>
        </fieldset>
      </form>
    </Page>
  )
}

/** When it starts automatically. */
function Beginning({
  draft,
  error,
  onChange,
}: {
  draft: Draft
  error: string | undefined
  onChange(some: Partial<Draft>): void
}) {
  const t = useCreatorText()
  return (
    <section className={classes.card}>
      <Switch
        label={t('isScheduled')}
        checked={draft.isScheduled}
        onChange={event => onChange({ isScheduled: event.currentTarget.checked })}
      />
      {draft.isScheduled && (
        <DateTimeField
          label={t('schedule')}
          value={draft.schedule || null}
          onChange={shown => onChange({ schedule: shown ?? '' })}
          error={error}
          from={clock().format('YYYY-MM-DD')}
          until={clock().add(AHEAD_MONTHS.creator, 'month').format('YYYY-MM-DD')}
        />
      )}
    </section>
  )
}

/** What the draft names and the server does not find any more. */
function lostIn(error: unknown): Map<string, string> {
  if (!(error instanceof ApiError)) return new Map()
  if (error.code === 'ERR_NOT_FOUND' && error.field === 'campaignSetupId')
    return new Map([['setup', useCreatorText.read('lostSetup')]])
  if (error.field !== 'sheetId') return new Map()
  const isGone = error.code === 'ERR_NOT_FOUND'
  return new Map([['people', isGone ? usePeopleText.read('sheetGone') : errorText(error)]])
}

const without = (faults: Map<string, string>, field: string) =>
  new Map([...faults].filter(([name]) => name !== field))

function made(draft: Draft): Promise<Campaign> {
  const { messages, files } = messagesOf(draft)
  const schedule = scheduleOf(draft)
  const campaign = { name: draft.name.trim(), schedule, messages, ...recipientsOf(draft.people) }
  return makeCampaign(draft.setupId, campaign, files)
}

async function saved(
  campaign: Campaign,
  draft: Draft,
  isFixed: boolean,
  seen: Seen | null,
): Promise<Campaign> {
  const { messages, files } = messagesOf(draft)
  const rest = { campaignSetupId: draft.setupId, schedule: scheduleOf(draft), messages }
  const after = await changeCampaign(
    campaign.id,
    { name: draft.name.trim(), ...(!isFixed && rest) },
    isFixed ? [] : files,
    seen ?? undefined,
  )
  if (hasPeople(draft.people)) {
    const { added, doubled, refused, excluded } = await addPeople(campaign.id, recipientsOf(draft.people))
    notify.info(useCreatorText.read('added', { added, doubled, refused, excluded }))
  }
  return after
}
