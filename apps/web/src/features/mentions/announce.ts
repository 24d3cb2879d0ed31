import type { NoteMention } from '@balcao/contract/mentions.ts'
import { notify } from '../../platform/notify.tsx'
import { ring } from '../tickets/sound.ts'
import { readMentions } from './mentions.api.ts'
import { useMentionNoticeText } from './mentions.notice.text.ts'

export interface Announced {
  volume: number
  goTo(path: string, options: { state: object }): void
}

/** Notifies the mentioned user on any screen: a sound, and a notice that leads to the note. */
export function announceMention(mention: NoteMention, { volume, goTo }: Announced) {
  const t = useMentionNoticeText.read
  ring('message', volume)
  const act = () => {
    goTo(`/tickets/${mention.ticketId}`, { state: { found: mention.messageId } })
    void readMentions([mention.id]).catch(notify.failed)
  }
  notify.info(t('mentioned', { name: mention.from?.name ?? t('team'), contact: mention.contact.name }), {
    id: `mention ${mention.id}`,
    seconds: 'stays',
    action: { label: t('view'), act },
  })
}
