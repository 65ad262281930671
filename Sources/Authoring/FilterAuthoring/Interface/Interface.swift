// The types of other modules that authors need by name. `import FilterAuthoring` shows these and
// the types of this module.

public import FilterAnalysis

/// The attributes and functions that exist, with their types.
public typealias AttributeSchema = FilterAnalysis.AttributeSchema
/// The type of an attribute.
public typealias AttributeType = FilterAnalysis.AttributeType
/// The path of an attribute, such as `user.address.city`.
public typealias AttributePath = FilterAnalysis.AttributePath
