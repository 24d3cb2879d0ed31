import { type BotSetup, BotSetupInput, botDefaults } from '@balcao/contract/bots.ts'
import { useState } from 'react'
import { RowDialog, type RowDialogProps } from '../../ui/list-screen/row.dialog.tsx'
import { RowForm } from '../../ui/list-screen/row-form.tsx'
import type { Named } from '../../ui/row-picker.tsx'
import { ErrorSettings, GeneralSettings, NoQueueSettings } from './bot-setup-fields.tsx'
import { oneBotSetup, saveBotSetup } from './bots.api.ts'
import { useBotText } from './bots.text.ts'

/** Adds a bot, or changes the one of the address, in the three groups of the documents (BOTSETUP-003). */
export function BotSetupDialog({ id, onClose }: RowDialogProps) {
  const t = useBotText()
  return (
    <RowDialog id={id} row={oneBotSetup} title={t(id === null ? 'add' : 'edit')} size={720} onClose={onClose}>
      {setup => <SetupForm setup={setup} onClose={onClose} />}
    </RowDialog>
  )
}

/** Select values are strings; the contract coerces them to numbers. */
const valuesOf = (setup: BotSetup | null) => {
  const from = setup ?? { ...botDefaults, name: '', transferQueueId: null, botConfigId: null, whatsapps: [] }
  return {
    name: from.name,
    botType: from.botType as BotSetup['botType'],
    botConfigId: from.botConfigId,
    whatsapps: from.whatsapps.map(({ id }) => id),
    typingTime: from.typingTime as string,
    burstSeconds: String(from.burstSeconds),
    phoneStopsBot: from.phoneStopsBot as boolean,
    typeMenu: from.typeMenu as BotSetup['typeMenu'],
    reopenBotAfterHours: String(from.reopenBotAfterHours),
    countErrorsBot: String(from.countErrorsBot),
    messageOnErrorsBot: from.messageOnErrorsBot,
    actionWithoutQueue: from.actionWithoutQueue as BotSetup['actionWithoutQueue'],
    timeWithoutQueue: String(from.timeWithoutQueue),
    messageOnWithoutQueue: from.messageOnWithoutQueue,
    transferQueueId: from.transferQueueId === null ? '' : String(from.transferQueueId),
  }
}
export type SetupValues = ReturnType<typeof valuesOf>

function SetupForm({ setup, onClose }: { setup: BotSetup | null; onClose(): void }) {
  const t = useBotText()
  const [prompt, setPrompt] = useState<Named | null>(setup?.botConfig ?? null)
  return (
    <RowForm<SetupValues>
      schema={BotSetupInput}
      initialValues={valuesOf(setup)}
      row={setup}
      isNew={setup === null}
      done={t('saved')}
      // what the lists of the form offer are the contract's own values, as text
      save={(values, _changed, seen) => saveBotSetup(setup?.id ?? null, BotSetupInput.parse(values), seen)}
      onClose={onClose}
    >
      {form => (
        <>
          <GeneralSettings form={form} prompt={prompt} onPrompt={setPrompt} />
          <ErrorSettings form={form} />
          <NoQueueSettings form={form} />
        </>
      )}
    </RowForm>
  )
}
