import type { Message } from '@balcao/contract/messages.ts'
import { customerOf } from './messages.data.ts'
import { useStoryText } from './messages.story.text.ts'

type Ours = Pick<Message, 'source' | 'user'>

/** Who of the company speaks, in words; "you" is only who looks. */
export function colleagueOf({ source, user }: Ours, viewerId: number): string {
  const t = useStoryText.read
  switch (source) {
    case 'greeting':
      return user ? t('greetingOf', { name: user.name }) : t('greeting')
    case 'person':
    case 'contact':
      return user?.id === viewerId ? t('you') : (user?.name ?? t('team'))
    default:
      return t(source)
  }
}

/** Who wrote a message, whichever side he is on. */
export const writerOf = (message: Message, viewerId: number): string =>
  message.fromMe ? colleagueOf(message, viewerId) : customerOf(message)
