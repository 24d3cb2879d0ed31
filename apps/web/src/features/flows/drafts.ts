import { FLOW_FILES } from '@balcao/contract/flows.rules.ts'
import type { Flow, FlowAction } from '@balcao/contract/flows.ts'
import { newId } from '../../platform/ids.ts'
import { type Attachment, holdFile, letGo, mediaOf } from '../media/upload.ts'

/** An action while its flow is being edited. */
export interface DraftAction extends Omit<FlowAction, 'media' | 'order'> {
  /** Identifies it while the screen is mounted. */
  key: string
  /** Its file, while only this screen has it. */
  local: File | null
}

const nothing = {
  body: '',
  param: 0,
  mediaUrl: null,
  mediaFileName: '',
  mediaType: null,
  file: null,
  local: null,
}

export const draftsOf = ({ flowActions }: Flow): DraftAction[] =>
  flowActions.map(({ media: _same, order: _place, ...action }) => ({ ...action, key: newId(), local: null }))

export const emptyDraft = (actionType: FlowAction['actionType']): DraftAction => ({
  ...nothing,
  actionType,
  key: newId(),
})

/** The action with a chosen file, which the phone shows from here until it is saved. */
export function withFile(draft: DraftAction, attachment: Attachment): DraftAction {
  const { file: local, kind } = attachment
  const key = newId()
  const file = mediaOf(attachment, false)
  holdFile(key, local, file)
  return { ...draft, key, local, mediaUrl: null, mediaFileName: local.name, mediaType: kind, file }
}

/** An independent copy of an action. */
export function copyOf(draft: DraftAction): DraftAction {
  const key = newId()
  if (draft.local && draft.file) holdFile(key, draft.local, draft.file)
  return { ...draft, key }
}

/** Releases the object URL that only this screen holds. */
export const drop = ({ key, local }: DraftAction) => local && letGo(key)

/** Whether a flow accepts a file by its extension; the server checks the content. */
export const isFlowFile = ({ name }: File) =>
  FLOW_FILES.split(',').some(ending => name.toLowerCase().endsWith(ending))
