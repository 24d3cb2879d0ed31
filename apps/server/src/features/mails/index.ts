import type { Feature } from '../../platform/features.ts'
import { mailFigures } from './mails.figures.queries.ts'
import { jobs } from './mails.jobs.ts'

export const mails: Feature = { name: 'mails', jobs: [...jobs, mailFigures] }
