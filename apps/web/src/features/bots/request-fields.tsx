import type { BotLogic } from '@balcao/contract/bots.logic.ts'
import { Button, Group, NativeSelect, SimpleGrid, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useMay } from '../../platform/session.tsx'
import { FieldGroup } from '../../ui/fieldset.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { useCommandText } from './bots.commands.text.ts'
import { useLogicText } from './bots.logic.text.ts'
import { useBotText } from './bots.text.ts'
import { CommandChoice } from './command-choice.tsx'
import type { FieldsProps } from './command-fields.tsx'

const seconds = [2, 5, 10, 15, 20]

/** Which system is called, what its answer fills, and where each outcome leads. */
export function RequestFields({ form, bot, command }: FieldsProps) {
  const t = useLogicText()
  const words = useBotText()
  const commandText = useCommandText()
  const mayWebhook = useMay('webhooks')
  const { logic } = form.values
  const change = (some: Partial<BotLogic>) => form.setFieldValue('logic', { ...logic, ...some })
  return (
    <>
      <TextInput
        label={t('address')}
        description={mayWebhook ? t('addressHint') : commandText('webhookByRight')}
        disabled={!mayWebhook}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        placeholder="https://"
        maxLength={2_000}
        {...form.getInputProps('webhook')}
      />
      <Fills {...{ form, bot, command }} />
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing={12}>
        <NativeSelect
          label={t('timeout')}
          data={[...new Set([...seconds, logic.timeoutSeconds])].map(count => ({
            value: String(count),
            label: words('seconds', { count }),
          }))}
          value={String(logic.timeoutSeconds)}
          onChange={event => change({ timeoutSeconds: Number(event.currentTarget.value) })}
        />
        <CommandChoice
          {...{ bot, command }}
          label={t('answered')}
          none={t('firstBelow')}
          value={form.values.forceNextFlow}
          onChange={number => form.setFieldValue('forceNextFlow', number)}
        />
        <CommandChoice
          {...{ bot, command }}
          label={t('answeredNot')}
          none={t('secondBelow')}
          value={logic.otherwise}
          onChange={otherwise => change({ otherwise })}
        />
      </SimpleGrid>
    </>
  )
}

function Fills({ form }: FieldsProps) {
  const t = useLogicText()
  const { logic } = form.values
  const put = (fills: BotLogic['fills']) => form.setFieldValue('logic', { ...logic, fills })
  return (
    <FieldGroup legend={t('fills')}>
      {logic.fills.map((_fill, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row has no identity but its place
        <Group key={at} gap={8} align="flex-end" wrap="nowrap">
          <TextInput
            flex={1}
            label={t('variableName')}
            maxLength={30}
            {...form.getInputProps(`logic.fills.${at}.variable`)}
          />
          <TextInput
            flex={1}
            label={t('path')}
            placeholder="pedido.status"
            maxLength={200}
            {...form.getInputProps(`logic.fills.${at}.path`)}
          />
          <IconButton
            label={t('removeFill', { at: at + 1 })}
            onClick={() => put(logic.fills.filter((_one, place) => place !== at))}
          >
            <IconTrash size={18} aria-hidden />
          </IconButton>
        </Group>
      ))}
      <Button
        variant="subtle"
        leftSection={<IconPlus size={16} aria-hidden />}
        disabled={logic.fills.length >= 20}
        onClick={() => put([...logic.fills, { variable: '', path: '' }])}
        style={{ justifySelf: 'start' }}
      >
        {t('addFill')}
      </Button>
    </FieldGroup>
  )
}
