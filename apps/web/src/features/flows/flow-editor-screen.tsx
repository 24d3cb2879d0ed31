import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { Late } from '../../ui/late.tsx'
import { Page } from '../../ui/page.tsx'
import { FlowEditor } from './flow-editor.tsx'
import { oneFlow } from './flows.api.ts'
import { useFlowText } from './flows.text.ts'

const LIST = '/flowList'

/** The editor of the flow that the address names, or of a new one. */
export default function FlowEditorScreen() {
  const t = useFlowText()
  const { flowId } = useParams()
  const isNew = flowId === undefined
  const { data, isError } = useQuery({ ...oneFlow(Number(flowId)), enabled: !isNew })
  const back = { path: LIST, label: t('back') }
  if (isNew) return <FlowEditor key="new" flow={null} back={back} />
  if (data) return <FlowEditor key={data.id} flow={data} back={back} />
  return (
    <Page title={t('newFlow')} back={back}>
      {isError ? <p role="alert">{t('missing')}</p> : <Late>{<p role="status">{t('loading')}</p>}</Late>}
    </Page>
  )
}
