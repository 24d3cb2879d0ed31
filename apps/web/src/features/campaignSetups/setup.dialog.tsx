import {
  type ButtonsMessage,
  type CampaignSetup,
  CampaignSetupInput,
  defaultButtons,
  setupDefaults,
} from '@balcao/contract/campaignSetups.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ApiError } from '../../platform/call.ts'
import { notify } from '../../platform/notify.tsx'
import { useMay } from '../../platform/session.tsx'
import { ShownSecret } from '../../ui/delivered.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Late } from '../../ui/late.tsx'
import { NotHad } from '../../ui/list-screen/list-states.tsx'
import { RowForm } from '../../ui/list-screen/row-form.tsx'
import { ButtonsField } from './buttons-field.tsx'
import { oneSetup, saveSetup, setupSecret } from './campaignSetups.api.ts'
import { useSetupFormText } from './campaignSetups.form.text.ts'
import { useSetupText } from './campaignSetups.text.ts'
import { AfterFields, GeneralFields, HourFields, PaceFields } from './setup-fields.tsx'

interface Props {
  /** The setup to change; null for a new one. */
  setupId: string | null
  /** Template of a new one. */
  copyOf: string | null
  onClose(): void
}

/** Adds a setup, changes one, or copies one. */
export function SetupDialog({ setupId, copyOf, onClose }: Props) {
  const t = useSetupText()
  const shown = setupId ?? copyOf
  const { data, error, refetch } = useQuery({ ...oneSetup(shown ?? ''), enabled: shown !== null })
  const gone = error instanceof ApiError && error.status === 404 ? error : null
  useEffect(() => {
    if (!gone) return
    notify.failed(gone)
    onClose()
  }, [gone, onClose])
  if (gone) return null
  return (
    <Dialog title={t(setupId === null ? 'add' : 'edit')} size={720} onClose={onClose}>
      {shown === null || data ? (
        <SetupForm setupId={setupId} like={data ?? null} onClose={onClose} />
      ) : error ? (
        <NotHad error={error} again={() => void refetch()} />
      ) : (
        <Late>
          <p role="status">{t('loading')}</p>
        </Late>
      )}
    </Dialog>
  )
}

/** Select values are strings; the contract coerces them to numbers. */
const valuesOf = (setup: CampaignSetup | null) => {
  const from = setup ?? { ...emptySetup, ...setupDefaults }
  return {
    name: from.name,
    ticketSetStatus: from.ticketSetStatus as CampaignSetup['ticketSetStatus'],
    tMax: String(from.tMax),
    tMin: String(from.tMin),
    interval: String(from.interval),
    autoStart: from.autoStart as boolean,
    queueId: from.queueId === null ? '' : String(from.queueId),
    whatsapps: from.whatsapps.map(({ id }) => id),
    messageFooterType: from.messageFooterType as CampaignSetup['messageFooterType'],
    jsonButtonOrList: from.jsonButtonOrList ?? (defaultButtons as ButtonsMessage | null),
    webhookUrlConcluded: from.webhookUrlConcluded,
    ...endsOf(from),
    weekdays: from.weekdays,
    warmUp: from.warmUp as boolean,
  }
}
/** API clients may set one end only: the other is shown as missing. */
const endsOf = ({ dailyFrom, dailyUntil }: Ends): Ends =>
  dailyFrom === null && dailyUntil === null
    ? { dailyFrom, dailyUntil }
    : { dailyFrom: dailyFrom ?? '', dailyUntil: dailyUntil ?? '' }
type Ends = Pick<CampaignSetup, 'dailyFrom' | 'dailyUntil'>

export type CampaignSetupValues = ReturnType<typeof valuesOf>

const emptySetup: Pick<
  CampaignSetup,
  | 'name'
  | 'queueId'
  | 'whatsapps'
  | 'jsonButtonOrList'
  | 'webhookUrlConcluded'
  | 'dailyFrom'
  | 'dailyUntil'
  | 'weekdays'
> = {
  name: '',
  queueId: null,
  whatsapps: [],
  jsonButtonOrList: null,
  webhookUrlConcluded: '',
  dailyFrom: null,
  dailyUntil: null,
  weekdays: [],
}

function SetupForm({
  setupId,
  like,
  onClose,
}: {
  setupId: string | null
  like: CampaignSetup | null
  onClose(): void
}) {
  const t = useSetupText()
  const mayWebhook = useMay('webhooks')
  const isCopy = setupId === null
  const seesSecret = useMay('administration') && like?.webhookUrlConcluded
  return (
    <RowForm<CampaignSetupValues>
      schema={CampaignSetupInput}
      initialValues={{ ...valuesOf(like), ...(isCopy && !mayWebhook && { webhookUrlConcluded: '' }) }}
      row={setupId === null ? null : like}
      isNew={setupId === null}
      done={t('saved')}
      save={(values, _changed, seen) => saveSetup(setupId, CampaignSetupInput.parse(fieldsOf(values)), seen)}
      onInvalid={errors =>
        errors.whatsapps &&
        notify.warn(useSetupFormText.read('needsConnection'), { id: 'campaign connection' })
      }
      onClose={onClose}
    >
      {form => (
        <>
          <GeneralFields form={form} />
          <PaceFields form={form} />
          <HourFields form={form} />
          <AfterFields form={form}>
            {form.values.messageFooterType === 'buttons' && form.values.jsonButtonOrList && (
              <ButtonsField
                value={form.values.jsonButtonOrList}
                errors={form.errors}
                onChange={buttons => form.setFieldValue('jsonButtonOrList', buttons)}
              />
            )}
          </AfterFields>
          {setupId !== null && seesSecret && <ShownSecret secret={setupSecret(setupId)} />}
        </>
      )}
    </RowForm>
  )
}

const fieldsOf = (values: CampaignSetupValues) => ({
  ...values,
  jsonButtonOrList: values.messageFooterType === 'none' ? null : values.jsonButtonOrList,
})
