import type { Feature } from '../../platform/features.ts'
import { jobs } from './mails.jobs.ts'

export const mails: Feature = { name: 'mails', jobs }
