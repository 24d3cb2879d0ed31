import type { Forecast } from '@balcao/contract/campaignPeople.ts'
import { type Campaign, PANEL_LETTERS } from '@balcao/contract/campaignShapes.ts'
import { cut } from '@balcao/contract/cut.rules.ts'
import { Button } from '@mantine/core'
import { IconDeviceMobile, IconEye, IconPaperclip } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { whole } from '../../platform/numbers.ts'
import { clock } from '../../platform/time.ts'
import { forecastOf } from './campaigns.api.ts'
import classes from './campaigns.module.css'
import { useManagerText } from './campaigns.running.text.ts'
import { PreviewDialog } from './preview.dialog.tsx'
import { CampaignTrialDialog } from './trial.dialog.tsx'

/** Setup, pace, and the end of a campaign. */
export function ConfigPanel({ campaign }: { campaign: Campaign }) {
  const t = useManagerText()
  const { campaignSetup: setup, status } = campaign
  const { data: forecast } = useQuery(forecastOf(campaign))
  return (
    <section className={classes.card} aria-labelledby="campaign-config">
      <h2 id="campaign-config" className={classes.head}>
        {t('config')}
      </h2>
      <dl className={classes.facts}>
        <dt>{t('setup')}</dt>
        <dd>{setup?.name ?? t('lostSetup')}</dd>
        <dt>{t('connections')}</dt>
        <dd>
          {forecast
            ? forecast.connections.map(connectionWords).join(', ')
            : setup?.whatsapps.map(({ name }) => name).join(', ')}
        </dd>
        {forecast && status !== 'finalized' && <Outlook forecast={forecast} />}
      </dl>
    </section>
  )
}

function connectionWords({ name, ready, dayCap }: Forecast['connections'][number]): string {
  const t = useManagerText.read
  if (!ready) return t('away', { name })
  return dayCap === null ? name : t('capped', { name, count: dayCap })
}

function Outlook({ forecast }: { forecast: Forecast }) {
  const t = useManagerText()
  const { recipients, reachable, optedOut, needTemplate, missing, lacking, perHour, hourCap, endsAt } =
    forecast
  const count = whole(perHour)
  return (
    <>
      <dt>{t('pace')}</dt>
      <dd>{hourCap ? t('perHourCapped', { count, cap: whole(hourCap) }) : t('perHour', { count })}</dd>
      {recipients > 0 && (
        <>
          <dt>{t('reachable')}</dt>
          <dd>{t('reachableOf', { count: whole(reachable), total: whole(recipients) })}</dd>
          {optedOut > 0 && (
            <>
              <dt>{t('optedOut')}</dt>
              <dd>{whole(optedOut)}</dd>
            </>
          )}
          {missing > 0 && (
            <>
              <dt>{t('lacks', { names: lacking.map(({ name }) => `{{${name}}}`).join(', ') })}</dt>
              <dd>{whole(missing)}</dd>
            </>
          )}
          {needTemplate > 0 && (
            <>
              <dt>{t('needTemplate')}</dt>
              <dd>{whole(needTemplate)}</dd>
            </>
          )}
          <dt>{t('ends')}</dt>
          <dd>{endsAt ? t('endsAbout', { at: clock(endsAt).format('L LT') }) : t('never')}</dd>
        </>
      )}
    </>
  )
}

const shortened = (text: string) => (text.length > PANEL_LETTERS ? `${cut(text, PANEL_LETTERS)}...` : text)

/** Messages, shortened; a button opens them as each recipient gets them. */
export function MessagesPanel({ campaign }: { campaign: Campaign }) {
  const t = useManagerText()
  const [opened, setOpened] = useState<'preview' | 'test' | null>(null)
  const { campaignMessages: messages } = campaign
  const greeting = messages[0]?.greeting
  const close = () => setOpened(null)
  return (
    <section className={classes.card} aria-labelledby="campaign-says">
      <h2 id="campaign-says" className={classes.head}>
        {t('messages')}
      </h2>
      <ul className={classes.words}>
        {greeting && (
          <li title={greeting}>
            {t('greeting')}: {shortened(greeting)}
          </li>
        )}
        {messages.map(({ id, body, mediaName }) => (
          <li key={id} title={body}>
            {mediaName && <IconPaperclip size={14} aria-hidden />} {shortened(body || mediaName)}
          </li>
        ))}
      </ul>
      <div className={classes.tools}>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconEye size={14} />}
          onClick={() => setOpened('preview')}
        >
          {t('preview')}
        </Button>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconDeviceMobile size={14} />}
          onClick={() => setOpened('test')}
        >
          {t('test')}
        </Button>
      </div>
      {opened === 'preview' && <PreviewDialog campaignId={campaign.id} onClose={close} />}
      {opened === 'test' && <CampaignTrialDialog campaignId={campaign.id} onClose={close} />}
    </section>
  )
}
