import { z } from 'zod'
import { text } from './kit.ts'

/** A message of the bot. */
export const BotWords = z.string().max(4_096, 'Too Long!')

/** A position in the tree: `1`, `1.1`, `2`. */
export const CommandNumber = text(1, 50).regex(/^[1-9]\d{0,3}(\.[1-9]\d{0,3})*$/, 'A number such as 1 or 1.2')

/** The command that follows by itself; none when empty. */
export const NextNumber = z.union([z.literal(''), CommandNumber])
