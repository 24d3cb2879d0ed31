import type { BotConfigInput } from '@balcao/contract/botConfigs.ts'
import type { UseFormReturnType } from '@mantine/form'

export type PromptValues = BotConfigInput
export type PromptForm = UseFormReturnType<PromptValues>
