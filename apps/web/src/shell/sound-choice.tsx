import { Button, NativeSelect } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { playTune, type Sounds, soundKinds, type Tune, tunes } from '../features/tickets/sound.ts'
import { texts } from '../platform/text.ts'
import classes from './preferences.module.css'

const useText = texts({
  waiting: ['Atendimento aguardando', 'Ticket that waits', 'Atención en espera'],
  message: ['Mensagem em meu atendimento', 'Message in my ticket', 'Mensaje en mi atención'],
  transfer: ['Transferido para mim', 'Transferred to me', 'Transferido a mí'],
  bell: ['Sino', 'Bell', 'Campana'],
  chime: ['Carrilhão', 'Chime', 'Carillón'],
  fall: ['Descida', 'Falling notes', 'Descenso'],
  drop: ['Gota', 'Drop', 'Gota'],
  off: ['Sem som', 'No sound', 'Sin sonido'],
  listen: ['Ouvir: {name}', 'Listen: {name}', 'Escuchar: {name}'],
})

interface Props {
  sounds: Sounds
  volume: number
  onChange(sounds: Sounds): void
}

/** The sound of each kind on this device, to be listened to before it is stored. */
export function SoundChoice({ sounds, volume, onChange }: Props) {
  const t = useText()
  const data = [...tunes, 'off' as const].map(value => ({ value, label: t(value) }))
  return soundKinds.map(kind => {
    const tune = sounds[kind]
    return (
      <div key={kind} className={classes.sound}>
        <NativeSelect
          label={t(kind)}
          data={data}
          value={tune}
          onChange={event => onChange({ ...sounds, [kind]: event.currentTarget.value as Tune | 'off' })}
        />
        <Button
          variant="default"
          px={10}
          aria-label={t('listen', { name: t(kind) })}
          title={t('listen', { name: t(kind) })}
          disabled={tune === 'off' || volume === 0}
          onClick={() => tune !== 'off' && playTune(tune, volume)}
        >
          <IconPlayerPlay size={16} aria-hidden />
        </Button>
      </div>
    )
  })
}
