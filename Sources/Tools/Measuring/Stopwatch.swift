import AudienceFilters
import CAllocationCount
import Dispatch
package import ExpressionEngine

/// The measurements of one filter.
package struct FilterMeasurement: Sendable {
  /// Nanoseconds per evaluation: the median over the batches, and the fastest batch.
  package var median: Double
  package var minimum: Double
  /// Allocations per evaluation; `nil` if they cannot be counted.
  package var mallocs: Double?
  /// Microseconds from text to compiled filter, the median over the batches.
  package var compile: Double
  /// The result of the filter, or its error.
  package var result: Result<Value, EvaluationError>
}

/// Measures filters in batches that are long enough for the clock.
///
/// The loops are plain nonisolated functions that contain only the call.
package enum Stopwatch {
  /// Measures a filter over a context.
  ///
  /// - Parameters:
  ///   - rounds: The number of batches that are timed.
  ///   - batch: The duration of a batch, in nanoseconds.
  /// - Throws: ``FilterError`` if the text is not a filter.
  package static func measure(
    _ text: String, _ environment: FilterEnvironment, _ makeContext: @autoclosure () -> Context,
    rounds: Int, batch: Double
  ) throws(FilterError) -> FilterMeasurement {
    let filter = try Filter(text, environment: environment)
    // An app compiles its filters before the first context arrives.
    let context = makeContext()
    let result: Result<Value, EvaluationError>
    do throws(EvaluationError) {
      result = .success(try AudienceFilters.evaluate(filter, context))
    } catch {
      result = .failure(error)
    }
    let evaluations = times(rounds: rounds, batch: batch) { evaluate(filter, context, $0) }
    let compilations = times(rounds: max(5, rounds / 4), batch: batch) {
      compile(text, environment, $0)
    }
    return FilterMeasurement(
      median: median(evaluations), minimum: evaluations.min() ?? .nan,
      mallocs: mallocs(filter, context), compile: median(compilations) / 1000, result: result)
  }

  /// Returns the nanoseconds per iteration of `body` in each of the rounds, after calibrating and
  /// warming up.
  private static func times(rounds: Int, batch: Double, _ body: (Int) -> Int) -> [Double] {
    var iterations = 1
    var elapsed = time(iterations, body)
    while elapsed < batch / 4, iterations < 1 << 36 {
      iterations *= 2
      elapsed = time(iterations, body)
    }
    iterations = max(1, Int((Double(iterations) * batch / max(elapsed, 1)).rounded()))
    return (0..<rounds).map { _ in time(iterations, body) / Double(iterations) }
  }

  private static func time(_ iterations: Int, _ body: (Int) -> Int) -> Double {
    let start = DispatchTime.now()
    let count = body(iterations)
    let end = DispatchTime.now()
    // The bodies count their iterations; a batch with fewer has not measured anything.
    guard count == iterations else { return .nan }
    return Double(end.uptimeNanoseconds &- start.uptimeNanoseconds)
  }

  @inline(never)
  private static func evaluate(_ filter: Filter, _ context: Context, _ iterations: Int) -> Int {
    var done = 0
    for _ in 0..<iterations {
      do throws(EvaluationError) {
        _ = try AudienceFilters.evaluate(filter, context)
        done &+= 1
      } catch {
        done &+= 1
      }
    }
    return done
  }

  @inline(never)
  private static func compile(
    _ text: String, _ environment: FilterEnvironment, _ iterations: Int
  ) -> Int {
    var done = 0
    for _ in 0..<iterations {
      do throws(FilterError) {
        _ = try Filter(text, environment: environment)
        done &+= 1
      } catch {}
    }
    return done
  }

  private static func mallocs(_ filter: Filter, _ context: Context) -> Double? {
    guard allocation_count_available() else { return nil }
    let iterations = 64
    _ = evaluate(filter, context, iterations)
    let before = allocation_count_now().allocations
    _ = evaluate(filter, context, iterations)
    return Double(allocation_count_now().allocations &- before) / Double(iterations)
  }

  /// Returns the median of values; NaN if there are no values.
  package static func median(_ values: [Double]) -> Double {
    guard !values.isEmpty else { return .nan }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    guard sorted.count.isMultiple(of: 2) else { return sorted[middle] }
    return (sorted[middle - 1] + sorted[middle]) / 2
  }
}
