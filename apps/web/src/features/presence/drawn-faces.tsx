import type { TicketPresence } from '@balcao/contract/presence.ts'
import { IconNote, IconPencil } from '@tabler/icons-react'
import { Avatar } from '../../ui/avatar.tsx'
import classes from './faces.module.css'
import { usePresenceText } from './presence.text.ts'

/** So many are drawn; the others are a number. */
const MOST = 3

export default function DrawnFaces({ users }: { users: TicketPresence['users'] }) {
  const t = usePresenceText()
  // who writes matters more than who looks
  const all = [...users].sort((a, b) => Number(a.doing === 'looking') - Number(b.doing === 'looking'))
  const names = all.map(({ name, doing }) => t(doing, { name })).join(', ')
  return (
    <span className={classes.faces} role="img" aria-label={names} title={names} data-faces>
      {all.slice(0, MOST).map(({ id, name, doing }) => (
        <span key={id} className={classes.face} data-doing={doing}>
          <Avatar name={name} size={20} />
          {doing === 'writing' && <IconPencil size={11} stroke={2.5} />}
          {doing === 'noting' && <IconNote size={11} stroke={2.5} />}
        </span>
      ))}
      {all.length > MOST && <span className={classes.more}>+{all.length - MOST}</span>}
    </span>
  )
}
