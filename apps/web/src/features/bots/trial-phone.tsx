import type { BotAct, BotTrace } from '@balcao/contract/bots.acts.ts'
import { askedBy } from '@balcao/contract/bots.logic.rules.ts'
import { asPoll, tapped, writtenParts } from '@balcao/contract/bots.words.rules.ts'
import { Button, NativeSelect } from '@mantine/core'
import { IconRefresh, IconSend2, IconZzz } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useUser } from '../../platform/session.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Phone } from '../../ui/phone.tsx'
import { Formatted } from '../media/formatted.tsx'
import { queueChoices } from '../queues/queues.choices.ts'
import { userChoices } from '../users/users.api.ts'
import { asScript, type Bot } from './bot-script.ts'
import { useBotTrialText } from './bots.trial.text.ts'
import classes from './trial-phone.module.css'
import { type TrialHours, useTrial } from './use-trial.ts'

/** A simulated customer's phone for the bot as saved, with the reasons for its answers. */
export default function TrialPhone({ bot }: { bot: Bot }) {
  const t = useBotTrialText()
  const { company } = useUser()
  const script = useMemo(() => asScript(bot), [bot])
  const asksHours = askedBy(script.commands).hours
  const [hours, setHours] = useState<TrialHours>('now')
  const { turns, waits, isCalling, say, wait, answer, again } = useTrial(script, hours)
  return (
    <section className={classes.trial} aria-label={t('phone')}>
      <Phone
        name={company.companyName}
        status={t('online')}
        empty={turns.length === 0 ? t('begin') : undefined}
        writer={<Writer onSend={say} />}
      >
        {turns.map(({ received, step }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: turns are only added
          <div key={at} className={classes.turn}>
            {received !== null && <Phone.Bubble mine>{received}</Phone.Bubble>}
            {step.does.map((act, which) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: what a turn did never changes
              <Act key={which} act={act} onChoose={say} />
            ))}
          </div>
        ))}
      </Phone>
      <div className={classes.keys}>
        <IconButton label={t('again')} disabled={turns.length === 0} onClick={again}>
          <IconRefresh size={18} stroke={1.75} />
        </IconButton>
        {waits && (
          <IconButton label={t('wait')} onClick={wait}>
            <IconZzz size={18} stroke={1.75} />
          </IconButton>
        )}
        {isCalling && (
          <>
            <Button size="compact-sm" variant="default" onClick={() => answer(true)}>
              {t('answers')}
            </Button>
            <Button size="compact-sm" variant="default" onClick={() => answer(false)}>
              {t('answersNot')}
            </Button>
          </>
        )}
        {asksHours && (
          <NativeSelect
            size="xs"
            aria-label={t('hours')}
            data={(['now', 'open', 'closed'] as const).map(one => ({ value: one, label: t(`h_${one}`) }))}
            value={hours}
            onChange={event => setHours(event.currentTarget.value as TrialHours)}
          />
        )}
      </div>
      {turns.length > 0 && (
        <div className={classes.trace}>
          <h2>{t('why')}</h2>
          <ol aria-live="polite">
            {turns.flatMap(({ step }, turn) =>
              step.trace.map((one, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: what a turn thought never changes
                <Why key={`${turn} ${at}`} trace={one} bot={bot} />
              )),
            )}
          </ol>
        </div>
      )}
    </section>
  )
}

function Writer({ onSend }: { onSend(text: string): void }) {
  const t = useBotTrialText()
  const [text, setText] = useState('')
  return (
    <form
      className={classes.writer}
      onSubmit={event => {
        event.preventDefault()
        if (text.trim() === '') return
        onSend(text.trim())
        setText('')
      }}
    >
      <input
        aria-label={t('write')}
        placeholder={t('write')}
        autoComplete="off"
        value={text}
        onChange={event => setText(event.currentTarget.value)}
      />
      <button type="submit" aria-label={t('send')}>
        <IconSend2 size={18} aria-hidden />
      </button>
    </form>
  )
}

function Act({ act, onChoose }: { act: BotAct; onChoose(text: string): void }) {
  const t = useBotTrialText()
  if (act.kind === 'endPrompt') return null
  if (act.kind !== 'say') return <ActNote act={act} />
  const choices = asPoll(act) ? 'poll' : tapped(act, t('options'))?.kind
  const parts = choices ? [act.text] : writtenParts(act)
  return (
    <Phone.Bubble>
      {act.mediaUrl && <em>{t('fileOf', { name: act.mediaUrl.split('/').at(-1)! })}</em>}
      {parts.map(part => (
        <span key={part} className={classes.words}>
          <Formatted text={part} />
        </span>
      ))}
      {choices && (
        <span className={classes.choices}>
          {act.options.map(({ number, title }) => (
            <button key={number} type="button" onClick={() => onChoose(number)}>
              {choices === 'list' ? `${number} - ${title}` : title}
            </button>
          ))}
        </span>
      )}
    </Phone.Bubble>
  )
}

/** An act of the bot that is not a message. */
function ActNote({ act }: { act: Exclude<BotAct, { kind: 'say' | 'endPrompt' }> }) {
  const t = useBotTrialText()
  const { data: queues } = useQuery(queueChoices)
  const { data: users } = useQuery(userChoices)
  const nameOf = (queueId: number | null, userId: number | null) =>
    [queues?.find(({ id }) => id === queueId)?.name, users?.find(({ id }) => id === userId)?.name]
      .filter(Boolean)
      .join(' · ') || t('team')
  return (
    <p className={classes.effect}>
      {act.kind === 'move'
        ? t('move', { name: nameOf(act.queueId, act.userId) })
        : act.kind === 'webhook'
          ? t('webhook', { url: act.url })
          : act.kind === 'ask'
            ? t('ask', { url: act.url })
            : act.kind === 'keep'
              ? t('keep', { value: act.value })
              : t(act.kind)}
    </p>
  )
}

function Why({ trace: { what, number, commandId }, bot }: { trace: BotTrace; bot: Bot }) {
  const t = useBotTrialText()
  const name = bot.commands.find(({ id }) => id === commandId)?.descriptionBot
  return (
    <li>
      {t(`t_${what}`, { number })} {name && <span>({name})</span>}
    </li>
  )
}
