import { z } from 'zod'
import { channel } from './kit.ts'

/** News may have been lost on its way to this screen: what it shows is fetched again. To whatever company. */
export const gapChannel = channel('gap', z.object({}))
