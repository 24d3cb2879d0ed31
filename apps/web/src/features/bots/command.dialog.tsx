import { problemsOf } from '@balcao/contract/bots.checks.rules.ts'
import { type BotCommand, BotCommandInput, commandTypes } from '@balcao/contract/bots.commands.ts'
import { logicOf } from '@balcao/contract/bots.logic.rules.ts'
import { useState } from 'react'
import { z } from 'zod'
import { Dialog } from '../../ui/dialog.tsx'
import { RowForm } from '../../ui/list-screen/row-form.tsx'
import type { Named } from '../../ui/row-picker.tsx'
import { asScript, type Bot } from './bot-script.ts'
import { saveCommand } from './bots.api.ts'
import { useCommandText } from './bots.commands.text.ts'
import { NEW } from './command-draft.ts'
import { CommandFields } from './command-fields.tsx'
import { Warnings } from './problem-list.tsx'

interface Props {
  bot: Bot
  may: boolean
  /** One that is not saved yet has the id `NEW`. */
  command: BotCommand
  onClose(): void
}

const asText = (id: number | null) => (id === null ? '' : String(id))

const valuesOf = (command: BotCommand) => ({
  commandBot: command.commandBot,
  commandType: String(command.commandType),
  descriptionBot: command.descriptionBot,
  showMessage: command.showMessage,
  webhook: command.webhook ?? '',
  userId: asText(command.userId),
  queueId: asText(command.queueId),
  tags: command.tags.map(({ id }) => id),
  botCategoryContacts: command.categoryContacts.map(({ id }) => id),
  typeMessage: command.typeMessage,
  flowId: command.flowId,
  botConfigId: command.botConfigId,
  forceNextFlow: command.forceNextFlow,
  logic: logicOf(command),
  withoutMedia: false,
})
export type CommandValues = ReturnType<typeof valuesOf>

/** Values beside the form fields: names of picked rows, the attached file. */
export interface CommandExtras {
  flow: Named | null
  prompt: Named | null
  media: File | null
}

/** Adds or changes a command; its type decides the fields (BOTCMD-010 to 014). Warns before it is saved. */
export function CommandDialog({ bot, may, command, onClose }: Props) {
  const t = useCommandText()
  const [extras, setExtras] = useState<CommandExtras>({
    flow: command.flow,
    prompt: command.botConfig,
    media: null,
  })
  const isNew = command.id === NEW
  const title = isNew ? t('add') : t('edit', { number: command.commandBot })
  return (
    <Dialog title={title} size={720} onClose={onClose}>
      <fieldset disabled={!may} style={{ margin: 0, padding: 0, border: 0, minWidth: 0 }}>
        <RowForm<CommandValues>
          schema={CommandForm}
          initialValues={valuesOf(command)}
          row={isNew ? null : command}
          isNew={isNew}
          isUnsaved={extras.media !== null}
          save={(values, _changed, seen) =>
            saveCommand(bot.setup, isNew ? null : command.id, CommandForm.parse(values), extras.media, seen)
          }
          onClose={onClose}
        >
          {form => (
            <>
              <CommandFields
                form={form}
                bot={bot}
                command={command}
                extras={extras}
                onExtras={more => setExtras(known => ({ ...known, ...more }))}
              />
              <Warnings
                title={t('invalid')}
                problems={problemsWith(bot, drafted(command, form.values, extras))}
              />
            </>
          )}
        </RowForm>
      </fieldset>
    </Dialog>
  )
}

/** Only a question, a condition and a request have checks. */
function kept(values: CommandValues) {
  const checks = new Set<number>([commandTypes.question, commandTypes.condition, commandTypes.request])
  return checks.has(Number(values.commandType)) ? values : { ...values, logic: null }
}

/** What the server checks; of checks only those of the type count. */
const CommandForm = z.preprocess(given => kept(withoutBlanks(given as CommandValues)), BotCommandInput)

/** Empty lines between choices are no choices. */
const withoutBlanks = (values: CommandValues): CommandValues => ({
  ...values,
  logic: { ...values.logic, choices: values.logic.choices.map(one => one.trim()).filter(Boolean) },
})

/** The command as it would be if it were saved now. */
const drafted = (command: BotCommand, values: CommandValues, { media }: CommandExtras): BotCommand => ({
  ...command,
  commandBot: values.commandBot,
  commandType: Number(values.commandType),
  descriptionBot: values.descriptionBot,
  showMessage: values.showMessage,
  typeMessage: values.typeMessage,
  flowId: values.flowId,
  botConfigId: values.botConfigId,
  forceNextFlow: values.forceNextFlow,
  logic: values.logic,
  webhook: values.webhook || null,
  userId: Number(values.userId) || null,
  queueId: Number(values.queueId) || null,
  mediaUrl: media ? media.name : values.withoutMedia ? null : command.mediaUrl,
})

function problemsWith(bot: Bot, draft: BotCommand) {
  const others = bot.commands.filter(({ id }) => id !== draft.id)
  const found = problemsOf(asScript({ ...bot, commands: [...others, draft] }))
  return found.filter(({ commandId }) => commandId === draft.id).map(({ problem }) => problem)
}
