import { type BotCommand, commandTypes } from '@balcao/contract/bots.commands.ts'
import {
  FileInput,
  Group,
  MultiSelect,
  NativeSelect,
  SimpleGrid,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconExternalLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMay, useUser } from '../../platform/session.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { type Named, RowPicker } from '../../ui/row-picker.tsx'
import { CategoryPicker } from '../categories/category-picker.tsx'
import { queueChoices } from '../queues/queues.choices.ts'
import { tagChoices } from '../tags/tags.api.ts'
import { userChoices } from '../users/users.api.ts'
import type { Bot } from './bot-script.ts'
import { botFlows, prompts } from './bots.choices.ts'
import { useCommandText } from './bots.commands.text.ts'
import { useBotText } from './bots.text.ts'
import type { CommandExtras, CommandValues } from './command.dialog.tsx'
import { CommandChoice } from './command-choice.tsx'
import { kindName, kindNumbers } from './command-kinds.tsx'
import { ConditionFields } from './condition-fields.tsx'
import { QuestionFields } from './question-fields.tsx'
import { RequestFields } from './request-fields.tsx'

export interface FieldsProps {
  form: UseFormReturnType<CommandValues>
  bot: Bot
  command: BotCommand
}

interface Props extends FieldsProps {
  extras: CommandExtras
  onExtras(extras: Partial<CommandExtras>): void
}

export function CommandFields(props: Props) {
  const t = useCommandText()
  const { form } = props
  const type = Number(form.values.commandType)
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing={12}>
        <TextInput
          label={t('number')}
          description={t('numberHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          maxLength={50}
          {...form.getInputProps('commandBot')}
        />
        <NativeSelect
          label={t('type')}
          data={kindNumbers.map(one => ({ value: String(one), label: kindName(one) }))}
          {...form.getInputProps('commandType')}
        />
        <TextInput
          data-autofocus
          label={t('description')}
          maxLength={200}
          {...form.getInputProps('descriptionBot')}
        />
      </SimpleGrid>
      {type !== commandTypes.condition && <Content {...props} />}
      {type === commandTypes.condition && <ConditionFields {...props} />}
      {type === commandTypes.request && <RequestFields {...props} />}
      {(type === commandTypes.sector || type === commandTypes.attendant) && (
        <HandingOver form={form} isAttendant={type === commandTypes.attendant} />
      )}
      {(type === commandTypes.question || type === commandTypes.informative) && (
        <Next {...props} isQuestion={type === commandTypes.question} />
      )}
      {type === commandTypes.question && <QuestionFields {...props} />}
      {type === commandTypes.prompt && (
        <Opened path="/botConfig" label={t('newPrompt')}>
          <Picker
            label={t('botConfig')}
            list={prompts}
            value={props.extras.prompt}
            onPick={prompt => {
              props.onExtras({ prompt })
              form.setFieldValue('botConfigId', prompt?.id ?? null)
            }}
          />
        </Opened>
      )}
      <Marks form={form} isRequest={type === commandTypes.request} />
    </>
  )
}

/** The content: a message with its file, or a flow where the company has flows (BOTCMD-015, BOTCMD-016). */
function Content({ form, command, extras, onExtras }: Props) {
  const t = useCommandText()
  const { company } = useUser()
  const { typeMessage, withoutMedia } = form.values
  const mayFlow = company.enableFlows || command.typeMessage === 'flow'
  return (
    <>
      {mayFlow && (
        <NativeSelect
          label={t('messageType')}
          data={[
            { value: 'singleMessage', label: t('singleMessage') },
            { value: 'flow', label: t('flow') },
          ]}
          {...form.getInputProps('typeMessage')}
        />
      )}
      {typeMessage === 'flow' ? (
        <Opened path="/flowmanager" label={t('newFlow')}>
          <Picker
            label={t('flow')}
            list={botFlows}
            value={extras.flow}
            onPick={flow => {
              onExtras({ flow })
              form.setFieldValue('flowId', flow?.id ?? null)
            }}
          />
        </Opened>
      ) : (
        <>
          <Textarea
            label={t('message')}
            autosize
            minRows={3}
            maxRows={10}
            maxLength={4_096}
            {...form.getInputProps('showMessage')}
          />
          <FileInput
            label={t('media')}
            placeholder={(!withoutMedia && command.mediaName) || t('chooseFile')}
            value={extras.media}
            onChange={media => onExtras({ media })}
            error={form.errors.media}
            clearable
            clearButtonProps={{ 'aria-label': t('takeOffFile') }}
          />
          {command.mediaUrl && !extras.media && (
            <Switch label={t('takeOffFile')} {...form.getInputProps('withoutMedia', { type: 'checkbox' })} />
          )}
        </>
      )}
    </>
  )
}

function HandingOver({ form, isAttendant }: Pick<Props, 'form'> & { isAttendant: boolean }) {
  const t = useCommandText()
  const { data: queues = [] } = useQuery(queueChoices)
  const { data: users = [] } = useQuery(userChoices)
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12}>
      <NativeSelect
        label={t('queue')}
        data={choicesOf(queues, t('noChoice'))}
        {...form.getInputProps('queueId')}
      />
      {isAttendant && (
        <NativeSelect
          label={t('user')}
          data={choicesOf(users, t('noChoice'))}
          {...form.getInputProps('userId')}
        />
      )}
    </SimpleGrid>
  )
}

const choicesOf = (rows: Named[], none: string) => [
  { value: '', label: none },
  ...rows.map(({ id, name }) => ({ value: String(id), label: name })),
]

function Next({ form, bot, command, isQuestion }: FieldsProps & { isQuestion: boolean }) {
  const t = useCommandText()
  return (
    <CommandChoice
      {...{ bot, command }}
      label={t(isQuestion ? 'next' : 'nextInform')}
      none={t(isQuestion ? 'nextNone' : 'noChoice')}
      value={form.values.forceNextFlow}
      onChange={number => form.setFieldValue('forceNextFlow', number)}
    />
  )
}

function Marks({ form, isRequest }: Pick<Props, 'form'> & { isRequest: boolean }) {
  const t = useCommandText()
  const mayWebhook = useMay('webhooks')
  const { data: tags = [] } = useQuery(tagChoices)
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12}>
        <MultiSelect
          label={t('tags')}
          data={tags.map(({ id, name }) => ({ value: String(id), label: name }))}
          searchable
          value={form.values.tags.map(String)}
          onChange={ids => form.setFieldValue('tags', ids.map(Number))}
        />
        <CategoryPicker
          label={t('categories')}
          value={form.values.botCategoryContacts}
          onChange={ids => form.setFieldValue('botCategoryContacts', ids)}
        />
      </SimpleGrid>
      {!isRequest && (
        <TextInput
          label={t('webhook')}
          description={t(mayWebhook ? 'webhookHint' : 'webhookByRight')}
          disabled={!mayWebhook}
          placeholder="https://"
          maxLength={2_000}
          {...form.getInputProps('webhook')}
        />
      )}
    </>
  )
}

/** A field with the button that makes what is missing, in a tab of its own (BOTCMD-002). */
function Opened({ path, label, children }: { path: string; label: string; children: React.ReactNode }) {
  return (
    <Group align="flex-end" gap={6} wrap="nowrap">
      <div style={{ flex: 1 }}>{children}</div>
      <IconButton frame label={label} onClick={() => window.open(path, '_blank', 'noopener')}>
        <IconExternalLink size={18} stroke={1.75} />
      </IconButton>
    </Group>
  )
}

type PickerProps<Row extends Named> = Omit<Parameters<typeof RowPicker<Row>>[0], 'minimum' | 'failed'>

function Picker<Row extends Named>(props: PickerProps<Row>) {
  return <RowPicker {...props} minimum={0} failed={useBotText()('notLoaded')} />
}
