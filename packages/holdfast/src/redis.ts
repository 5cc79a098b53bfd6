export {
  REDIS_BALANCE_MAX,
  RedisStore,
  type RedisStoreOptions,
} from './stores/redis/redis-store.ts'
export { RedisNotDurable } from './stores/redis/durability.ts'
export type { RedisClient, ScriptArguments } from './stores/redis/scripts.ts'
