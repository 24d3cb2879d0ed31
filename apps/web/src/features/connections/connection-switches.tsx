import { Switch } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useMay } from '../../platform/session.tsx'
import { useConnectionText } from './connections.text.ts'

interface SwitchValues extends Record<string, unknown> {
  lib: string
  isDefault: boolean
  disableGroupMessages: boolean
  saasNotificationCenter: boolean
}

/** Flags of a connection. Billing notices are sent through it only if the operator allows it (CONN-022). */
export function ConnectionSwitches<Values extends SwitchValues>({
  form,
}: {
  form: UseFormReturnType<Values>
}) {
  const t = useConnectionText()
  const isMaster = useMay('master')
  const flag = (name: keyof SwitchValues & string) => form.getInputProps(name as never, { type: 'checkbox' })
  return (
    <>
      <Switch label={t('isDefault')} {...flag('isDefault')} />
      {form.values.lib !== 'cloud' && <Switch label={t('noGroups')} {...flag('disableGroupMessages')} />}
      {isMaster && (
        <Switch
          label={t('notificationCenter')}
          description={t('notificationCenterHint')}
          {...flag('saasNotificationCenter')}
        />
      )}
    </>
  )
}
