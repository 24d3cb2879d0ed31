import { within } from '../../platform/events.ts'
import { filesNamed } from '../../platform/files/orphans.ts'
import { logoOf } from './companies.queries.ts'

export const reacts = [within(filesNamed, async (tx, { name }) => name(await logoOf(tx)))]
