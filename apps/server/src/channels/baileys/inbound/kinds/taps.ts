import { formOf } from '../answers.ts'
import { lineFrom } from '../text.ts'
import { kindOf } from './kind.ts'

export const tapsKind = kindOf(
  ['buttonsResponseMessage', 'templateButtonReplyMessage'],
  { name: 'tapped button', bubble: 'its label, else its id', bot: 'the label' },
  part => ({
    body:
      part.selectedDisplayText || lineFrom('selectedButtonId' in part ? part.selectedButtonId : idOf(part)),
  }),
)

const idOf = (part: object) => ('selectedId' in part ? part.selectedId : '')

export const pickedRowKind = kindOf(
  ['listResponseMessage'],
  { name: 'row picked from a list', bubble: 'its title, else its id', bot: 'the title' },
  part => ({ body: part.title || part.description || lineFrom(part.singleSelectReply?.selectedRowId) }),
)

export const flowAnswerKind = kindOf(
  ['interactiveResponseMessage'],
  { name: 'tapped button or filled-in form (flow)', bubble: 'the label, or the fields of the form' },
  formOf,
)
