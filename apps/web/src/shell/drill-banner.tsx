import { IconFlask } from '@tabler/icons-react'
import { texts } from '../platform/text.ts'
import classes from './account-banner.module.css'

const useText = texts({
  drill: [
    'Ensaio de uma cópia restaurada: nada sai daqui. Mensagens, e-mails, webhooks e agendamentos estão parados.',
    'Drill on a restored copy: nothing leaves from here. Messages, e-mails, webhooks and schedules stand still.',
    'Ensayo de una copia restaurada: nada sale de aquí. Mensajes, correos, webhooks y programaciones están detenidos.',
  ],
})

/** What every screen of a restored copy that is tried out states (DRILL). */
export default function DrillBanner() {
  const t = useText()
  return (
    <div className={classes.banner} data-account="drill">
      <IconFlask size={18} stroke={1.75} aria-hidden className={classes.icon} />
      <span>{t('drill')}</span>
    </div>
  )
}
