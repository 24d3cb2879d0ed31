import type { Feature } from '../../platform/features.ts'
import { chores, jobs } from './mails.jobs.ts'

export const mails: Feature = { name: 'mails', jobs, chores }
