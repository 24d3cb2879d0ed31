import { answerChecks, type BotLogic } from '@balcao/contract/bots.logic.ts'
import { NativeSelect, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { FieldGroup } from '../../ui/fieldset.tsx'
import { useLogicText } from './bots.logic.text.ts'
import { useBotText } from './bots.text.ts'
import { CommandChoice } from './command-choice.tsx'
import type { FieldsProps } from './command-fields.tsx'

const tries = [1, 2, 3, 5, 10]
const waits = [0, 1, 2, 5, 10, 15, 30, 60, 180, 720, 1_440]

/** Only what a list offers, and the value that is there. */
const withOwn = (offered: number[], own: number) =>
  offered.includes(own) ? offered : [...offered, own].sort((a, b) => a - b)

/** What an answer has to be, where it is kept, and how long it is waited for. */
export function QuestionFields({ form, bot, command }: FieldsProps) {
  const t = useLogicText()
  const { logic } = form.values
  const change = (some: Partial<BotLogic>) => form.setFieldValue('logic', { ...logic, ...some })
  return (
    <FieldGroup legend={t('asked')}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12}>
        <NativeSelect
          label={t('check')}
          data={answerChecks.map(check => ({ value: check, label: t(`c_${check}`) }))}
          {...form.getInputProps('logic.check')}
        />
        {logic.check !== 'any' && (
          <NativeSelect
            label={t('tries')}
            data={withOwn(tries, logic.tries).map(String)}
            value={String(logic.tries)}
            onChange={event => change({ tries: Number(event.currentTarget.value) })}
          />
        )}
      </SimpleGrid>
      {logic.check === 'oneOf' && <Choices {...{ form, bot, command }} />}
      {logic.check !== 'any' && (
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12}>
          <TextInput
            label={t('wrong')}
            description={t('wrongHint')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            maxLength={4_096}
            {...form.getInputProps('logic.wrong')}
          />
          <CommandChoice
            {...{ bot, command }}
            label={t('otherwise')}
            none={t('people')}
            value={logic.otherwise}
            onChange={otherwise => change({ otherwise })}
          />
        </SimpleGrid>
      )}
      <Kept {...{ form, bot, command }} />
      <Wait {...{ form, bot, command }} />
    </FieldGroup>
  )
}

function Choices({ form }: FieldsProps) {
  const t = useLogicText()
  const { logic } = form.values
  const wrong = Object.entries(form.errors).find(([path]) => path.startsWith('logic.choices'))?.[1]
  return (
    <Textarea
      label={t('choices')}
      autosize
      minRows={2}
      maxRows={10}
      value={logic.choices.join('\n')}
      error={wrong}
      onChange={event =>
        form.setFieldValue('logic', { ...logic, choices: event.currentTarget.value.split('\n') })
      }
    />
  )
}

function Kept({ form }: FieldsProps) {
  const t = useLogicText()
  const { variable, keepIn } = form.values.logic
  return (
    <SimpleGrid cols={{ base: 1, xs: keepIn === 'field' ? 3 : 2 }} spacing={12}>
      <TextInput
        label={t('keepAs')}
        description={t('keepAsHint', { example: variable || 'pedido' })}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        maxLength={30}
        {...form.getInputProps('logic.variable')}
      />
      <NativeSelect
        label={t('keepIn')}
        data={(['', 'name', 'email', 'field'] as const).map(kept => ({
          value: kept,
          label: t(kept === '' ? 'k_none' : `k_${kept}`),
        }))}
        {...form.getInputProps('logic.keepIn')}
      />
      {keepIn === 'field' && (
        <TextInput label={t('field')} maxLength={100} {...form.getInputProps('logic.field')} />
      )}
    </SimpleGrid>
  )
}

function Wait({ form, bot, command }: FieldsProps) {
  const t = useLogicText()
  const minutes = useWaitWords()
  const { logic } = form.values
  const change = (some: Partial<BotLogic>) => form.setFieldValue('logic', { ...logic, ...some })
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12}>
      <NativeSelect
        label={t('wait')}
        data={withOwn(waits, logic.waitMinutes).map(wait => ({ value: String(wait), label: minutes(wait) }))}
        value={String(logic.waitMinutes)}
        onChange={event => change({ waitMinutes: Number(event.currentTarget.value) })}
      />
      {logic.waitMinutes > 0 && (
        <CommandChoice
          {...{ bot, command }}
          label={t('silent')}
          none={t('notChosen')}
          value={logic.silent}
          onChange={silent => change({ silent })}
        />
      )}
    </SimpleGrid>
  )
}

function useWaitWords() {
  const t = useLogicText()
  const bot = useBotText()
  return (wait: number) =>
    wait === 0
      ? t('usual')
      : wait % 60 === 0
        ? bot('hours', { count: wait / 60 })
        : bot('minutes', { count: wait })
}
