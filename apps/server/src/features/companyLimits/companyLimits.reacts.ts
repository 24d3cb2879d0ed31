import { databaseDate } from '../../platform/clock.ts'
import { within } from '../../platform/events.ts'
import { limitsWritten } from '../companies/companies.events.ts'
import { settleLimits } from './companyLimits.actions.ts'

export const reacts = [within(limitsWritten, (tx, { days }) => settleLimits(tx, databaseDate(), days))]
