import { within } from '../../platform/events.ts'
import { noteKept } from '../messages/messages.events.ts'
import { followNote } from './mentions.actions.ts'

export const reacts = [within(noteKept, followNote)]
