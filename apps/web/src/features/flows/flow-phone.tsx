import { filled, type Placeholders } from '@balcao/contract/placeholders.rules.ts'
import {
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerTrackNext,
  IconRefresh,
} from '@tabler/icons-react'
import { useState } from 'react'
import { useUser } from '../../platform/session.tsx'
import { clock } from '../../platform/time.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Phone } from '../../ui/phone.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { MessageContent } from '../media/content.tsx'
import type { DraftAction } from './drafts.ts'
import { messageOf } from './flow-message.ts'
import classes from './flow-phone.module.css'
import { usePhoneText } from './flows.phone.text.ts'
import { usePlay } from './play.ts'

const SPEEDS = ['1', '2', '4']

/** Plays the flow, saved or not, on a simulated customer's phone. */
export function FlowPhone({ actions }: { actions: DraftAction[] }) {
  const t = usePhoneText()
  const { company } = useUser()
  const [speed, setSpeed] = useState('1')
  const values = useSample()
  const { current, sent, done, isOver, isPlaying, ...player } = usePlay(actions, Number(speed))
  const kind = current?.actionType
  const status = kind === 'Composing' || kind === 'Recording' ? t(kind) : t('online')
  const none = actions.length === 0
  return (
    <section className={classes.simulator} aria-label={t('phone')}>
      <Phone name={company.companyName} status={status} empty={none ? t('empty') : undefined}>
        {sent.map(action => (
          <Phone.Bubble key={action.key}>
            <MessageContent message={messageOf(action, filled(action.body, values))} />
          </Phone.Bubble>
        ))}
      </Phone>
      <div className={classes.keys}>
        <IconButton
          solid
          label={t(isPlaying ? 'pause' : 'play')}
          disabled={none}
          onClick={isPlaying ? player.pause : player.play}
        >
          {isPlaying ? <IconPlayerPauseFilled size={18} /> : <IconPlayerPlayFilled size={18} />}
        </IconButton>
        <IconButton label={t('step')} disabled={none} onClick={player.step}>
          <IconPlayerTrackNext size={18} stroke={1.75} />
        </IconButton>
        <IconButton label={t('again')} disabled={none} onClick={player.again}>
          <IconRefresh size={18} stroke={1.75} />
        </IconButton>
        <span className={classes.progress}>
          {t('progress', { done: isOver ? actions.length : done, count: actions.length })}
        </span>
        <Segmented
          label={t('speed')}
          value={speed}
          options={SPEEDS.map(value => ({ value, label: `${value}×` }))}
          onChange={setSpeed}
        />
      </div>
    </section>
  )
}

function useSample(): Placeholders {
  const t = usePhoneText()
  const { name } = useUser()
  const now = clock()
  return {
    cliente: t('customer'),
    atendente: name,
    protocolo: `${now.format('YYYYMMDD')}0042`,
    data: now.format('DD/MM/YYYY'),
    horas: now.format('HH:mm'),
  }
}
