import { AHEAD_MONTHS, type Campaign } from '@balcao/contract/campaignShapes.ts'
import { Button, NativeSelect, Switch, TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { ApiError } from '../../platform/call.ts'
import { notify } from '../../platform/notify.tsx'
import { clock } from '../../platform/time.ts'
import { DateTimeField } from '../../ui/date-time-field.tsx'
import { Page } from '../../ui/page.tsx'
import { setupList } from '../campaignSetups/campaignSetups.api.ts'
import { addPeople, changeCampaign, makeCampaign } from './campaigns.api.ts'
import { useCreatorText } from './campaigns.creator.text.ts'
import classes from './campaigns.module.css'
import { useCampaignText } from './campaigns.text.ts'
import {
  type Draft,
  draftOf,
  faultsOf,
  hasPeople,
  messagesOf,
  recipientsOf,
  scheduleOf,
} from './creator-values.ts'
import { MessageCards } from './message-cards.tsx'
import { PeopleSources } from './people-sources.tsx'

interface Props {
  /** What is changed, or copied. */
  like: Campaign | null
  isCopy: boolean
  title: string
}

/** Of one that began, only its name, time and people change. */
const hasBegun = ({ status, initialized }: Campaign) => status === 'start' || initialized !== null

export function CreatorForm({ like, isCopy, title }: Props) {
  const t = useCreatorText()
  const navigate = useNavigate()
  const [draft, setDraft] = useState(() => draftOf(like, isCopy))
  const [faults, setFaults] = useState(new Map<string, string>())
  const [busy, setBusy] = useState(false)
  const changed = isCopy ? null : like
  const isFixed = changed !== null && hasBegun(changed)
  const change = (some: Partial<Draft>) => setDraft(before => ({ ...before, ...some }))

  async function submit(event: FormEvent) {
    event.preventDefault()
    const found = faultsOf(draft, changed === null)
    setFaults(found)
    const [fault] = found.values()
    if (fault) return notify.warn(fault, { id: 'campaign fault' })
    setBusy(true)
    try {
      const { id } = await (changed ? saved(changed, draft, isFixed) : made(draft))
      notify.done(t('saved'))
      void navigate(`/CampaignsManager/${id}`)
    } catch (error) {
      // a new one goes with the id of its setup for a token
      const isLost = !changed && error instanceof ApiError && error.status === 401
      if (isLost) {
        setFaults(new Map([['setup', t('lostSetup')]]))
        notify.warn(t('lostSetup'), { id: 'campaign fault' })
      } else notify.failed(error)
      setBusy(false)
    }
  }

  return (
    <Page
      title={title}
      back={{ path: '/Campaigns', label: useCampaignText.read('toList') }}
      actions={
        <>
          {changed && (
            <Button variant="default" onClick={() => void navigate(`/CampaignsManager/${changed.id}`)}>
              {t('manage')}
            </Button>
          )}
          <Button type="submit" form="campaign" loading={busy}>
            {t('save')}
          </Button>
        </>
      }
    >
      <form id="campaign" className={classes.creator} onSubmit={event => void submit(event)} noValidate>
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
          <PeopleSources
            people={draft.people}
            already={changed?.counts.total ?? 0}
            setupId={draft.setupId}
            error={faults.get('people')}
            onChange={people => change({ people })}
          />
          {!isFixed && (
            <section className={classes.card}>
              <Switch
                label={t('isScheduled')}
                checked={draft.isScheduled}
                onChange={event => change({ isScheduled: event.currentTarget.checked })}
              />
              {draft.isScheduled && (
                <DateTimeField
                  label={t('schedule')}
                  value={draft.schedule || null}
                  onChange={shown => change({ schedule: shown ?? '' })}
                  error={faults.get('schedule')}
                  from={clock().format('YYYY-MM-DD')}
                  until={clock().add(AHEAD_MONTHS.creator, 'month').format('YYYY-MM-DD')}
                />
              )}
            </section>
          )}
        </div>
      </form>
    </Page>
  )
}

function made(draft: Draft): Promise<Campaign> {
  const { messages, files } = messagesOf(draft)
  const schedule = scheduleOf(draft)
  const campaign = { name: draft.name.trim(), schedule, messages, ...recipientsOf(draft.people) }
  return makeCampaign(draft.setupId, campaign, files)
}

async function saved(campaign: Campaign, draft: Draft, isFixed: boolean): Promise<Campaign> {
  const { messages, files } = messagesOf(draft)
  const rest = { campaignSetupId: draft.setupId, schedule: scheduleOf(draft), messages }
  const after = await changeCampaign(
    campaign.id,
    { name: draft.name.trim(), ...(!isFixed && rest) },
    isFixed ? [] : files,
  )
  if (hasPeople(draft.people)) {
    const { added, doubled, refused } = await addPeople(campaign.id, recipientsOf(draft.people))
    notify.info(useCreatorText.read('added', { added, doubled, refused }))
  }
  return after
}

function SetupChoice({
  value,
  disabled,
  error,
  onChange,
}: {
  value: string
  disabled: boolean
  error: string | undefined
  onChange(setupId: string): void
}) {
  const t = useCreatorText()
  const { data } = useInfiniteQuery({ ...setupList(''), staleTime: 0 })
  const setups = data?.pages.flatMap(({ rows }) => rows)
  return (
    <div>
      <NativeSelect
        label={t('setup')}
        value={value}
        disabled={disabled}
        error={error}
        onChange={event => onChange(event.currentTarget.value)}
        data={[
          { value: '', label: t('chooseSetup') },
          ...(setups ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      {setups?.length === 0 && (
        <Button component={Link} to="/CampaignSetups/new" variant="subtle" size="xs" mt={4}>
          {t('addSetup')}
        </Button>
      )}
    </div>
  )
}
