import { spawnSync } from 'node:child_process'
import { createCluster } from 'redis'
import { describe } from 'vitest'
import { freePort } from '#testing/free-port.ts'
import { HAS_REDIS_SERVER, startRedis } from '#testing/redis.ts'
import { REDIS_BALANCE_MAX, RedisStore } from '../../src/stores/redis/redis-store.ts'
import { describeContract } from '../conformance/contract.ts'
import { subject } from '../support/stores.ts'
import { until } from '../support/waiting.ts'

const MASTERS = 3
const CLUSTER = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '5000']

describe.skipIf(!HAS_REDIS_SERVER)('the ledger on a cluster of three masters', () => {
  describeContract({
    name: 'Redis Cluster',
    balanceMax: REDIS_BALANCE_MAX,
    vectors: { inOneList: 4, oneByOne: 16 },
    deadlines: true,
    async make() {
      const masters = await Promise.all(Array.from({ length: MASTERS }, startMaster))
      const places = masters.map(({ port }) => `127.0.0.1:${port}`)
      const made = ['--cluster', 'create', ...places, '--cluster-yes']
      const { status, stdout } = spawnSync('redis-cli', made, { encoding: 'utf8' })
      if (status !== 0) throw new Error(`redis-cli made no cluster: ${stdout}`)
      const cluster = createCluster({ rootNodes: masters.map(({ url }) => ({ url })) })
      cluster.on('error', () => undefined)
      await until(() => allAgree(places))
      await cluster.connect()
      return subject(await RedisStore.open({ client: cluster, mayForget: true }), async () => {
        cluster.destroy()
        await Promise.all(masters.map(master => master.remove()))
      })
    },
  })
})

/** The port of the masters' own talk is a free one too: 10,000 further there may be none. */
async function startMaster() {
  return startRedis(...CLUSTER, '--cluster-port', `${await freePort()}`)
}

/** Whether every master says that all slots are served. */
function allAgree(places: readonly string[]): boolean {
  return places.every(place => {
    const [host = '', port = ''] = place.split(':')
    const { stdout } = spawnSync('redis-cli', ['-h', host, '-p', port, 'cluster', 'info'])
    return stdout.toString().includes('cluster_state:ok')
  })
}
