import { FLOW_FILES } from '@balcao/contract/flows.rules.ts'
import type { Flow, FlowAction } from '@balcao/contract/flows.ts'
import { newId } from '../../platform/ids.ts'
import { type Attachment, holdFile, letGo, mediaOf } from '../messages/media/upload.ts'

/** An action while somebody works on its flow. */
export interface DraftAction extends Omit<FlowAction, 'media' | 'order'> {
  /** Names it as long as the screen stands. */
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

/** The same action once more, to stand by itself. */
export function copyOf(draft: DraftAction): DraftAction {
  const key = newId()
  if (draft.local && draft.file) holdFile(key, draft.local, draft.file)
  return { ...draft, key }
}

/** Lets go of what only this screen held for it. */
export const drop = ({ key, local }: DraftAction) => local && letGo(key)

/** Whether a flow takes a file by the end of its name; the server looks inside. */
export const isFlowFile = ({ name }: File) =>
  FLOW_FILES.split(',').some(ending => name.toLowerCase().endsWith(ending))
