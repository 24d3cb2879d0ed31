import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { variables } from '../apps/server/src/platform/config.ts'
import { SECRETS } from '../apps/server/src/platform/secret-files.ts'

const CHART = 'deploy/chart'
const text = (path: string) => readFileSync(`${CHART}/${path}`, 'utf8')
const values = { ...parse(text('values.yaml')), ...parse(text('ci/values.yaml')) }
const schema = JSON.parse(text('values.schema.json'))

interface Made {
  kind: string
  metadata: { name: string }
  spec: {
    template: { spec: { containers: Container[]; volumes: { secret?: { items: { key: string }[] } }[] } }
  }
}
interface Container {
  image: string
  env: { name: string; value: string }[]
  livenessProbe: unknown
  readinessProbe: unknown
}

const helm = process.env.HELM ?? 'helm'
const isThere = spawnSync(helm, ['version', '--short']).status === 0
if (!isThere) console.log('helm is neither on the PATH nor named by HELM: the chart is not rendered')
const run = (...args: string[]) => spawnSync(helm, args, { encoding: 'utf8' })
const template = (...more: string[]) =>
  run('template', 'balcao', CHART, '-f', `${CHART}/ci/values.yaml`, ...more)

test('the values of the chart fit its schema, which knows the secrets and the version of the product', () => {
  const fits = new Ajv({ strict: false }).compile(schema)
  expect([fits(values), fits.errors]).toEqual([true, null])
  // what has to be given is asked for, and a misspelled value is refused
  expect(fits(parse(text('values.yaml')))).toBe(false)
  expect(fits({ ...values, replica: 2 })).toBe(false)
  expect(fits({ ...values, env: { ROLES: 'web' } })).toBe(false)
  expect(schema.properties.secrets.properties.keys.propertyNames.enum.toSorted()).toEqual(SECRETS.toSorted())
  expect(schema.properties.secrets.properties.keys.required).not.toContain('REDIS_URL')
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  expect(parse(text('Chart.yaml'))).toMatchObject({ version, appVersion: version })
})

test.skipIf(!isThere)('the chart is sound, and makes a deployment for each role (needs helm)', () => {
  expect(run('lint', '--strict', CHART, '-f', `${CHART}/ci/values.yaml`)).toMatchObject({ status: 0 })
  const made = parseAllDocuments(template().stdout).map(one => one.toJS() as Made | null)
  const found = made.filter(one => one !== null)
  const kinds = Object.groupBy(found, ({ kind }) => kind)
  for (const kind of ['Deployment', 'Service', 'PodDisruptionBudget', 'NetworkPolicy'])
    expect([kind, kinds[kind]?.length]).toEqual([kind, 3])
  expect(kinds.Ingress).toHaveLength(1)
  for (const { metadata, spec } of kinds.Deployment!) {
    const [container] = spec.template.spec.containers
    const { env, livenessProbe, readinessProbe } = container!
    const given = new Map(env.map(({ name, value }) => [name, value]))
    expect(metadata.name).toBe(`balcao-${given.get('ROLES')}`)
    expect(livenessProbe).toMatchObject({ httpGet: { path: '/live' } })
    // a pod that goes at once is still called by those who have not learned of it
    expect(Number(given.get('DRAIN_SECONDS'))).toBeGreaterThanOrEqual(5)
    expect(readinessProbe).toMatchObject({ httpGet: { path: '/ready' } })
    const known = [...variables(), ...SECRETS.map(name => `${name}_FILE`)]
    expect([...given.keys()].filter(name => !known.includes(name))).toEqual([])
    // no secret is in the environment
    expect([...given.keys()].filter(name => SECRETS.includes(name))).toEqual([])
    const mounted = spec.template.spec.volumes.flatMap(({ secret }) => secret?.items ?? [])
    for (const [name, path] of given)
      if (name.endsWith('_FILE')) expect(mounted.map(({ key }) => key)).toContain(path.split('/').at(-1))
  }
})

test.skipIf(!isThere)('wrong values are refused by name (needs helm)', () => {
  expect(template('--set', 'web.replicas=-1').stderr).toMatch(/replicas/)
  expect(template('--set', 'env.ROLES=web').stderr).toMatch(/ROLES/)
  expect(template('--set', 'host=').stderr).toMatch(/host/)
})
