import { mentions } from '@balcao/contract/mentions.ts'
import { serve } from '../../platform/http/routes.ts'
import { listMentions, readMentions } from './mentions.actions.ts'

export const routes = [
  serve(mentions.list, (scope, { query }) => listMentions(scope, query)),
  serve(mentions.read, (scope, { body }) => readMentions(scope, body.ids)),
]
